#pragma once
// How far the processes of one session lie apart, and how far they may. A slowdown that only some
// processes have leaves a robust session value where it was, however large it is: so a session
// whose processes disagree by far more than any that the baseline recorded is a finding of its own,
// UNSTEADY. An F test of the variances is of no use here: one process in 23 of cuSPARSELt is 1.5 %
// off, and such a test takes it for a change in 3 of 100 sessions. The limit is calibrated on what
// was recorded instead.

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "perfgate/baseline/baseline.h"
#include "perfgate/gate/policy.h"

namespace perfgate {

/// The largest spread that is still taken for the processes' own, for each judged metric of a file:
/// the policy's multiple of the largest that any session of its group (class, statistic and family)
/// ever had, and never less than the policy's least. A group of few sessions has the policy's limit
/// for unknown ones.
class SpreadLimits {
 public:
  SpreadLimits(const Baseline& baseline, const Policy& policy);
  /// `case_key` and `metric`: of the baseline's, and judged.
  [[nodiscard]] const ProcessSpread& of(const std::string& case_key, Metric metric) const;

 private:
  std::map<std::pair<std::string, Metric>, ProcessSpread> limits_;  ///< by case and metric
};

}  // namespace perfgate
