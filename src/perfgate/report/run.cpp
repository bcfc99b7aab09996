#include "perfgate/report/run.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "perfgate/report/exit_code.h"

namespace perfgate {
namespace {

// A case that came out wrong or not at all is worse than any that is slow, and one that is only
// made of other kernels is not.
double severity(const Outcome& outcome) {
  if (outcome.verdict == Verdict::kOtherKernels) {
    return 0;
  }
  if (outcome.verdict != Verdict::kRegressed || outcome.deciding() == nullptr) {
    return std::numeric_limits<double>::infinity();
  }
  double out = 0;
  for (const auto& judgement : outcome.judgements) {
    if (judgement.verdict == outcome.verdict) {
      out = std::max(out, std::abs(judgement.change));
    }
  }
  return out > 0 ? out : std::abs(outcome.deciding()->change);
}

}  // namespace

bool is_of_guest(const RunInfo& info) { return info.environment.count("perfgate") > 0; }

bool was_judged(const Outcome& outcome) {
  switch (outcome.verdict) {
    case Verdict::kPass:
    case Verdict::kRegressed:
    case Verdict::kUnsteady:
    case Verdict::kSuspect:
    case Verdict::kImproved:
    case Verdict::kOtherKernels:
    case Verdict::kBlind:
      return true;
    case Verdict::kNoBaseline:
    case Verdict::kWrong:
    case Verdict::kUnsupported:
    case Verdict::kLost:
    case Verdict::kMachineInvalid:
    case Verdict::kError:
      return false;
  }
  return false;
}

bool is_refresh(const Run& run) {
  return std::any_of(run.outcomes.begin(), run.outcomes.end(),
                     [](const Outcome& outcome) { return outcome.recorded != Recorded::kNot; });
}

std::vector<const Outcome*> failures_of(const Run& run, bool baseline_required) {
  std::vector<const Outcome*> out;
  for (const auto& outcome : run.outcomes) {
    if (!outcome.accepted() &&
        (outcome.overdue || exit_code_of(outcome.verdict, baseline_required) == ExitCode::kFail)) {
      out.push_back(&outcome);
    }
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const Outcome* a, const Outcome* b) { return severity(*a) > severity(*b); });
  return out;
}

int count(const std::vector<Outcome>& outcomes, Verdict verdict) {
  return static_cast<int>(
      std::count_if(outcomes.begin(), outcomes.end(),
                    [verdict](const Outcome& outcome) { return outcome.verdict == verdict; }));
}

}  // namespace perfgate
