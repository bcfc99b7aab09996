#include "perfgate/report/contradictions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "perfgate/core/utc_time.h"
#include "perfgate/gate/change.h"
#include "perfgate/model/case_key.h"
#include "perfgate/report/exit_code.h"

namespace perfgate {
namespace {

// Figures are stored with six digits.
constexpr double kRounding = 1e-5;
// A change, and the two values that show it: less than any tolerance.
constexpr double kAlike = 0.005;

// What a judge never says of a change this large.
bool misjudges(const Judgement& judgement) {
  const bool is_larger =
      judgement.change > judgement.threshold + kRounding * (1 + judgement.threshold);
  return is_larger &&
         (judgement.verdict == Verdict::kPass || judgement.verdict == Verdict::kImproved ||
          judgement.verdict == Verdict::kSuspect);
}

bool is_probability(double number) { return number >= 0 && number <= 1; }

// Which of its figures no judge writes.
std::optional<std::string> impossible_figure(const Judgement& judgement) {
  if (!is_probability(judgement.p_value) || !is_probability(judgement.alpha)) {
    return "a probability";
  }
  for (const auto& [name, value] :
       {std::pair("MDE", judgement.mde), std::pair("threshold", judgement.threshold),
        std::pair("tolerance", judgement.tolerance)}) {
    if (value < 0) {
      return name;
    }
  }
  if (judgement.now <= 0 || judgement.before <= 0) {
    return "a value";
  }
  const double shown = relative(
      {slower_sign(better_of(judgement.metric)) * std::log(judgement.now / judgement.before)});
  const bool differ = std::abs(judgement.change - shown) > kAlike * (1 + 10 * std::abs(shown));
  return differ ? std::optional("its change") : std::nullopt;
}

// What its workers say against it.
std::optional<std::string> wrongly_reported(const Outcome& outcome) {
  const bool was_measured = passes(outcome.verdict) || outcome.verdict == Verdict::kBlind;
  if (was_measured && outcome.reports.empty()) {
    return fmt::format("it is {}, and no worker measured it", name_of(outcome.verdict));
  }
  for (const auto& report : outcome.reports) {
    if (report.case_key != outcome.case_key) {
      return "one of its workers measured " + report.case_key;
    }
    if (was_measured && report.status != WorkerStatus::kMeasured) {
      return fmt::format("it is {}, and one of its workers says that it is not measured",
                         name_of(outcome.verdict));
    }
    for (const auto& [phase, part] : report.phases) {
      for (const auto& output : part.outputs) {
        if (was_measured && output.accuracy && output.accuracy->wrong_elements > 0) {
          return fmt::format("it is {}, and {} elements are wrong", name_of(outcome.verdict),
                             output.accuracy->wrong_elements);
        }
      }
    }
  }
  return std::nullopt;
}

std::optional<std::string> wrongly_judged(const Outcome& outcome) {
  Verdict worst = Verdict::kPass;
  std::set<Metric> metrics;
  for (const auto& judgement : outcome.judgements) {
    if (!metrics.insert(judgement.metric).second) {
      return text_of(judgement.metric) + " is judged twice";
    }
    if (const auto figure = impossible_figure(judgement)) {
      return fmt::format("{}: {} cannot be what it says", text_of(judgement.metric), *figure);
    }
    if (misjudges(judgement)) {
      return fmt::format("{} is called {}, and its change exceeds its threshold",
                         text_of(judgement.metric), name_of(judgement.verdict));
    }
    worst = worse(worst, judgement.verdict);
  }
  const bool says_nothing =
      outcome.verdict == Verdict::kNoBaseline || outcome.verdict == Verdict::kUnsupported;
  if (says_nothing && exit_code_of(worst, false) == ExitCode::kFail) {
    return fmt::format("it is {}, and its worst judgement is {}", name_of(outcome.verdict),
                       name_of(worst));
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
    auto why = is_valid_key(outcome.case_key) ? wrongly_judged(outcome)
                                              : std::optional<std::string>("that is no case's key");
    why = why ? why : wrongly_reported(outcome);
    why = why ? why : wrongly_recorded(outcome, run.info.refresh);
    if (why) {
      return outcome.case_key + ": " + *why;
    }
  }
  const RunInfo& info = run.info;
  if (info.shards < 1 || info.shard < 0 || info.shard >= info.shards) {
    return fmt::format("it is shard {} of {}", info.shard, info.shards);
  }
  if (run.elapsed_s < 0 || !utc_time(info.started)) {
    return "nothing begins then, or takes so long";
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
