#pragma once
// The judge of two builds: pure.

#include <map>
#include <string>
#include <vector>

#include "perfgate/gate/case_group.h"
#include "perfgate/gate/paired_case.h"

namespace perfgate {

/// How noisy the pairs of a class are before a case's own are looked at.
class PairedPriors {
 public:
  /// Fitted over all of tonight's metrics of a class with one statistic, where the policy's
  /// `fit_cases` or more of them vary. Else what the policy knows of the class between sessions, by
  /// the variance that one process has if a session varies by its processes alone, and twice that,
  /// for a pair has two. That is worth no more degrees than the policy says of the device's kind.
  PairedPriors(const std::vector<PairedCase>& cases, const Policy& policy,
               const std::string& device_kind);
  [[nodiscard]] VariancePrior of(const MetricRecord& description) const;

 private:
  const Policy& policy_;
  double most_degrees_;  // of what the policy knows
  std::map<CaseGroup, VariancePrior> fitted_;
};

/// What judging takes beside a case.
struct PairedContext {
  const Policy& policy;
  std::string device_kind;
  const PairedPriors& priors;
  std::vector<PairedLook> looks;
  std::size_t look = 0;     ///< the present one of them
  std::size_t metrics = 1;  ///< that share the false-alarm budget
};

/// Judges one case at a look.
PairedOutcome judge_paired(const PairedCase& paired, const PairedContext& context);

}  // namespace perfgate
