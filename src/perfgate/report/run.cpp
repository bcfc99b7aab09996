#include "perfgate/report/run.h"

#include <algorithm>

namespace perfgate {

ExitCode exit_code_of(const std::vector<Outcome>& outcomes, bool baseline_required) {
  ExitCode out = ExitCode::kSkipped;
  for (const auto& outcome : outcomes) {
    out = stronger(out, outcome.recorded == Recorded::kRefused
                            ? ExitCode::kRefused
                            : exit_code_of(outcome.verdict, baseline_required));
  }
  return out;
}

int count(const std::vector<Outcome>& outcomes, Verdict verdict) {
  return static_cast<int>(
      std::count_if(outcomes.begin(), outcomes.end(),
                    [verdict](const Outcome& outcome) { return outcome.verdict == verdict; }));
}

}  // namespace perfgate
