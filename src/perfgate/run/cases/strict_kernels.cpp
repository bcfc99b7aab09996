#include "perfgate/run/cases/strict_kernels.h"

#include "perfgate/gate/kernel_pairs.h"
#include "perfgate/report/kernel_changes.h"

namespace perfgate {

void hold_to_recorded_kernels(Outcome& outcome, const Baseline& baseline) {
  if (!was_not_found_slower(outcome) || outcome.reports.empty()) {
    return;
  }
  const auto conclude = [&outcome](Verdict verdict, const std::string& why) {
    outcome.verdict = verdict;
    outcome.message =
        why + " (--strict_kernels)" + (outcome.message.empty() ? "" : "; " + outcome.message);
  };
  const CaseRecord& record = baseline.cases.at(outcome.case_key);
  if (!other_kernels_of(outcome, &baseline, 1).empty()) {
    const bool suspected = outcome.verdict == Verdict::kSuspect;
    conclude(Verdict::kOtherKernels, suspected
                                         ? "suspected to be slower, by other kernels than recorded"
                                         : "not found slower, by other kernels than recorded");
  } else if (const auto why = why_not_comparable(record, outcome.reports.front())) {
    conclude(Verdict::kMachineInvalid, *why);
  }
}

}  // namespace perfgate
