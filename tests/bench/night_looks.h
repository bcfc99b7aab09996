#pragma once
// A recorded night, judged as a night that runs is: each case by itself, and where the device is
// not known and the case has not failed, once more beside its siblings (gate/second_look.h).

#include <map>
#include <string>

#include "perfgate/gate/judgement.h"
#include "taken_out.h"

namespace perfgate {

/// Borrows both. `night`: the cases of one device.
class NightLooks {
 public:
  NightLooks(const Judge& judge, const std::map<std::string, Night>& night);
  NightLooks(const NightLooks&) = delete;
  NightLooks& operator=(const NightLooks&) = delete;

  /// `measurements`: the case's own, or these slowed.
  [[nodiscard]] Judgement judged(const std::string& case_key, Metric metric,
                                 const SessionMeasurements& measurements) const;

 private:
  const Judge& judge_;
  const std::map<std::string, Night>& night_;
  SiblingChanges siblings_;
};

}  // namespace perfgate
