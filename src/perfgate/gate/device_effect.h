#pragma once
// What a device does to all cases of a kind alike. A device that computes a percent faster than
// others of its model does so in all cases of a family and class; so on a device that the baseline
// does not know, the night's other cases of the kind ("siblings") tell what to expect of each.
//
// v_cd = m_c + effect_d + e_cd   the value of case c on the recorded device d, in logs
// effect_d: the mean over the cases of v_cd - m_c, with a mean over the devices of 0; m_c: the mean
// over the devices of v_cd - effect_d. They depend on each other, and are found in turn: the least
// squares of a table that has gaps. Of devices that cases link (gate/linked_devices.h).
// Tonight's effect is the median of the siblings' distances from their m_c. One that is further out
// than another device may be expected to be says nothing: a library that slows all cases must not
// excuse itself.

#include <map>
#include <optional>
#include <string>

#include "perfgate/baseline/baseline.h"
#include "perfgate/gate/case_group.h"
#include "perfgate/gate/history.h"
#include "perfgate/gate/policy.h"

namespace perfgate {

/// What recorded devices do to the cases of one group.
struct RecordedEffects {
  std::map<std::string, double> by_device;  ///< in logs, positive when slower; their mean is 0
  double limit = 0;         ///< in logs; another device's is expected within this, either way
  VariancePrior remaining;  ///< between devices, of a case less those effects
  double share = 1;  ///< of a case's degrees of freedom between devices, that the effects leave
  double alone = 0;  ///< how much slower one process is than its session, in logs: of several
                     ///< processes the best is faster
};

/// The devices of a case whose effects are known, and what the case is less these.
struct ReferenceLessEffects {
  MetricHistory history;   ///< of those devices alone
  double value = 0;        ///< in logs
  SumOfSquares remaining;  ///< between devices
};
/// Nothing where no device of the case has an effect that is known.
std::optional<ReferenceLessEffects> less_effects(const MetricHistory& history,
                                                 const RecordedEffects& effects);

/// The effects of every group that is one: several cases recorded on several devices, which differ
/// less once the effects are taken out. Only of classes whose policy says so.
class DeviceEffects {
 public:
  /// `histories`: of the baseline's.
  DeviceEffects(const Baseline& baseline, const MetricHistories& histories, const Policy& policy);
  /// Null where the case's group has none.
  [[nodiscard]] const RecordedEffects* of(const CaseGroup& group) const;

 private:
  std::map<CaseGroup, RecordedEffects> effects_;
};

}  // namespace perfgate
