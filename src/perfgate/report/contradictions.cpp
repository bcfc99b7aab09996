#include "perfgate/report/contradictions.h"

#include <fmt/format.h>

#include <algorithm>

namespace perfgate {
namespace {

// What a judge never says of a change this large. Figures are stored with six digits.
bool misjudges(const Judgement& judgement) {
  constexpr double kRounding = 1e-5;
  const bool is_larger =
      judgement.change > judgement.threshold + kRounding * (1 + judgement.threshold);
  return is_larger &&
         (judgement.verdict == Verdict::kPass || judgement.verdict == Verdict::kImproved ||
          judgement.verdict == Verdict::kSuspect);
}

std::optional<std::string> wrongly_judged(const Outcome& outcome) {
  Verdict worst = Verdict::kPass;
  for (const auto& judgement : outcome.judgements) {
    if (misjudges(judgement)) {
      return fmt::format("{} is called {}, and its change exceeds its threshold",
                         text_of(judgement.metric), name_of(judgement.verdict));
    }
    worst = worse(worst, judgement.verdict);
  }
  const bool is_blind = outcome.verdict == Verdict::kBlind;
  if (!passes(outcome.verdict) && !is_blind) {
    return std::nullopt;
  }
  if (outcome.judgements.empty()) {
    return fmt::format("it is {}, and nothing of it was judged", name_of(outcome.verdict));
  }
  const bool follows =
      is_blind ? worst == Verdict::kPass || worst == Verdict::kImproved : worst == outcome.verdict;
  return follows ? std::nullopt
                 : std::optional(fmt::format("it is {}, and its worst judgement is {}",
                                             name_of(outcome.verdict), name_of(worst)));
}

std::optional<std::string> wrongly_recorded(const Outcome& outcome, bool is_of_refresh) {
  if (outcome.recorded != Recorded::kNot && !is_of_refresh) {
    return "a refresh is said to have recorded or refused it, and the run was none";
  }
  if (!outcome.accepted()) {
    return std::nullopt;
  }
  switch (outcome.verdict) {
    case Verdict::kWrong:
    case Verdict::kLost:
    case Verdict::kError:
    case Verdict::kMachineInvalid:
    case Verdict::kUnsupported:
    case Verdict::kUnsteady:
    case Verdict::kOtherKernels:
      return fmt::format("it is {}, which no refresh records", name_of(outcome.verdict));
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<std::string> contradiction_in(const Run& run) {
  for (const auto& outcome : run.outcomes) {
    auto why = wrongly_judged(outcome);
    why = why ? why : wrongly_recorded(outcome, run.info.refresh);
    if (why) {
      return outcome.case_key + ": " + *why;
    }
  }
  // By the rules that are the kindest: which ones the run had, it does not say.
  const ExitCode least = exit_code_of(run, {});
  const bool too_weak = stronger(run.exit_code, least) != run.exit_code ||
                        (run.exit_code == ExitCode::kOk && least == ExitCode::kSkipped);
  if (too_weak) {
    return fmt::format("its exit code is {}, and what it found is {} at least",
                       static_cast<int>(run.exit_code), static_cast<int>(least));
  }
  return std::nullopt;
}

}  // namespace perfgate
