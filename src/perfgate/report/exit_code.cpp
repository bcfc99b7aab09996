#include "perfgate/report/exit_code.h"

#include <algorithm>
#include <array>

namespace perfgate {

ExitCode stronger(ExitCode a, ExitCode b) {
  constexpr std::array<ExitCode, 5> kStrongestFirst = {
      ExitCode::kUsage, ExitCode::kFail, ExitCode::kRefused, ExitCode::kOk, ExitCode::kSkipped};
  for (const ExitCode code : kStrongestFirst) {
    if (a == code || b == code) {
      return code;
    }
  }
  return ExitCode::kFail;
}

ExitCode exit_code_of(Verdict verdict, bool baseline_required) {
  switch (result_of(verdict)) {
    case Result::kPass:
      return ExitCode::kOk;
    case Result::kFail:
      return ExitCode::kFail;
    case Result::kNotJudged:
      break;
  }
  if (verdict == Verdict::kMachineInvalid) {
    return ExitCode::kRefused;
  }
  return verdict == Verdict::kNoBaseline && baseline_required ? ExitCode::kFail
                                                              : ExitCode::kSkipped;
}

ExitCode exit_code_of(const Outcome& outcome, bool baseline_required) {
  if (outcome.accepted()) {
    return ExitCode::kOk;
  }
  if (outcome.overdue) {
    return ExitCode::kFail;
  }
  if (outcome.other_protocol && !baseline_required) {
    return ExitCode::kRefused;
  }
  return outcome.recorded == Recorded::kRefused ? ExitCode::kRefused
                                                : exit_code_of(outcome.verdict, baseline_required);
}

ExitCode exit_code_of(const Run& run, const ExitRules& rules) {
  ExitCode out = ExitCode::kSkipped;
  int judged = 0;
  int blind = 0;
  for (const auto& outcome : run.outcomes) {
    out = stronger(out, exit_code_of(outcome, rules.baseline_required));
    judged += was_judged(outcome) ? 1 : 0;
    blind += outcome.verdict == Verdict::kBlind && !outcome.accepted() && !outcome.learning ? 1 : 0;
  }
  for (const auto& change : run.global) {
    out = stronger(out, exit_code_of(change.verdict, rules.baseline_required));
  }
  out = run.creeps.empty() ? out : stronger(out, ExitCode::kFail);
  if (!run.not_run.empty() && out != ExitCode::kSkipped) {
    out = stronger(out, ExitCode::kRefused);
  }
  const bool unfit = std::any_of(run.canaries.begin(), run.canaries.end(),
                                 [](const Canary& canary) { return makes_unfit(canary.result); });
  if (unfit || blind > rules.blind_share * judged || !run.info.selection.empty()) {
    out = stronger(out, ExitCode::kRefused);
  }
  // What was not measured has not passed.
  return run.partial && run.info.selection.empty() ? stronger(out, ExitCode::kFail) : out;
}

ExitCode exit_code_of(const std::vector<Run>& nights) {
  ExitCode out = ExitCode::kSkipped;
  for (const auto& night : nights) {
    out = stronger(out, night.exit_code);
  }
  return out;
}

ExitCode exit_code_of(const PairedOutcome& outcome) {
  return outcome.incomparable ? ExitCode::kRefused : exit_code_of(outcome.verdict, false);
}

ExitCode exit_code_of(const std::vector<PairedOutcome>& outcomes, double blind_share) {
  ExitCode out = ExitCode::kSkipped;
  std::size_t judged = 0;
  std::size_t blind = 0;
  for (const auto& outcome : outcomes) {
    out = stronger(out, exit_code_of(outcome));
    judged += outcome.judgements.empty() ? 0 : 1;
    blind += outcome.verdict == Verdict::kBlind ? 1 : 0;
  }
  const bool too_blind = static_cast<double>(blind) > blind_share * static_cast<double>(judged);
  return too_blind ? stronger(out, ExitCode::kRefused) : out;
}

ExitCode exit_code_of(BisectionStep::Kind kind) {
  switch (kind) {
    case BisectionStep::Kind::kFound:
      return ExitCode::kFail;
    case BisectionStep::Kind::kNone:
      return ExitCode::kOk;
    case BisectionStep::Kind::kMeasure:
    case BisectionStep::Kind::kUndecided:
      break;
  }
  return ExitCode::kRefused;
}

}  // namespace perfgate
