#pragma once
// What the noise of a case is taken for before its own sessions are looked at. Three of them say
// almost nothing; what the file holds of all cases together does.

#include <map>
#include <string>
#include <utility>

#include "perfgate/baseline/baseline.h"
#include "perfgate/gate/history.h"
#include "perfgate/gate/policy.h"

namespace perfgate {

/// How loud a metric's class is between sessions. Of a class, cases of one family are more alike
/// than others, and the best of a session's workers is another measurement than their mean: so
/// fitted over those of the file where there are enough of them, else over all of the class with
/// that statistic, else the policy's word, and what the case's own processes tell where the policy
/// says how much that is. What cases of a class have in common is their variance,
/// or its ratio to what each one's own workers tell of it: whichever makes the file likelier.
class ClassPriors {
 public:
  /// `histories`: of the baseline's.
  ClassPriors(const Baseline& baseline, const MetricHistories& histories, const Policy& policy);
  /// `case_key` and `metric`: of the baseline's, and judged.
  [[nodiscard]] const VariancePrior& session(const std::string& case_key, Metric metric) const;

 private:
  std::map<std::pair<std::string, Metric>, VariancePrior> session_;  ///< by case and metric
};

}  // namespace perfgate
