#pragma once
// What a device does to all cases of a kind alike. A device that computes a percent faster than
// others of its model does so in all cases of a family and class; so on a device that the baseline
// does not know, the night's other cases of the kind ("siblings") tell what to expect of each.
//
// v_cd = m_c + effect_d + e_cd   the value of case c on the recorded device d, in logs
// effect_d: the median over the cases of v_cd - m_c; m_c: the mean over the devices of
// v_cd - effect_d; found in turn (J. W. Tukey's median polish, "Exploratory Data Analysis", 1977).
// Tonight's effect is the median of the siblings' distances from their m_c, but no further out than
// that of any recorded device: a library that slows all cases must not excuse itself.

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "perfgate/baseline/baseline.h"
#include "perfgate/gate/history.h"
#include "perfgate/gate/policy.h"

namespace perfgate {

/// Cases that a device slows alike: of one family, class, metric and statistic.
using SiblingGroup = std::tuple<std::string, std::string, Metric, Statistic>;

/// `metric`: one of the case's.
SiblingGroup sibling_group(const std::string& case_key, const CaseRecord& record, Metric metric);

/// What recorded devices do to the cases of one group.
struct RecordedEffects {
  std::map<std::string, double> by_device;  ///< in logs, positive when slower; their mean is 0
  VariancePrior remaining;                  ///< between devices, of a case less those effects
  double share = 1;  ///< of a case's degrees of freedom between devices, that the effects leave
};

/// A case as the recorded devices have it, less what each of them does to all.
struct ReferenceLessEffects {
  double value = 0;        ///< in logs
  SumOfSquares remaining;  ///< between devices
};
ReferenceLessEffects less_effects(const MetricHistory& history, const RecordedEffects& effects);

/// The effects of every group that is one: several cases recorded on several devices, which differ
/// less once the effects are taken out. Only of classes whose policy says so.
class DeviceEffects {
 public:
  DeviceEffects(const Baseline& baseline, const Policy& policy);
  /// Null where the case's group has none.
  [[nodiscard]] const RecordedEffects* of(const SiblingGroup& group) const;

 private:
  std::map<SiblingGroup, RecordedEffects> effects_;
};

/// What tonight's device does to a case, by the case's siblings.
struct TonightsEffect {
  double value = 0;     ///< in logs, positive when slower
  double variance = 0;  ///< of that
  int siblings = 0;
};

/// How far the cases of one night lie from their references less effects.
class SiblingChanges {
 public:
  void add(const SiblingGroup& group, const std::string& case_key, double log_change);
  /// The median of the others. Nothing where they are fewer than `least`.
  [[nodiscard]] std::optional<TonightsEffect> beside(const SiblingGroup& group,
                                                     const std::string& case_key, int least) const;

 private:
  std::map<SiblingGroup, std::map<std::string, double>> changes_;
};

}  // namespace perfgate
