#include "perfgate/run/compare/paired_run.h"

#include <algorithm>
#include <numeric>

#include "perfgate/process/interrupt.h"
#include "perfgate/report/exit_code.h"

namespace perfgate {

ExitCode held_to_selection(ExitCode code, const std::string& selection, Console& console) {
  if (selection.empty()) {
    return code;
  }
  console.report("  PARTIAL   only what the environment selects: " + selection + "\n");
  return stronger(code, ExitCode::kRefused);
}

// Whether it came so far: a case that fails is not measured any further, but is judged.
bool PairedRun::measure_to(PairedReports& reports, int pairs) {
  while (static_cast<int>(reports.before.size()) < pairs && !has_failed(reports)) {
    taker_.add_pair(reports, before_, now_);
    if (interrupted_by()) {
      return false;
    }
  }
  return true;
}

void PairedRun::judge(const std::vector<std::size_t>& cases, std::size_t look) {
  std::vector<PairedCase> paired;
  for (const auto& reports : reports_) {
    if (!reports.before.empty()) {
      paired.push_back(paired_case(reports, tools_.policy));
    } else {
      paired.emplace_back();
    }
  }
  if (look == 0) {  // what later looks spend is a share of the same budget
    metrics_ = std::accumulate(
        paired.begin(), paired.end(), std::size_t{0},
        [](std::size_t sum, const PairedCase& one) { return sum + one.series.size(); });
  }
  const std::string kind = tools_.device.identity().kind;
  const PairedPriors priors(paired, tools_.policy, kind);
  const PairedContext context{tools_.policy, kind, priors,
                              looks_,        look, std::max<std::size_t>(metrics_, 1)};
  for (const std::size_t i : cases) {
    outcomes_[i] = judge_paired(paired[i], context);
  }
}

// A worker cannot tell another tenant from its own successor, so this is asked while none runs.
void PairedRun::doubt_changes(const std::vector<std::size_t>& cases) {
  tools_.before.stop_workers();
  tools_.now.stop_workers();
  const auto why = tools_.device.health(/*exclusive=*/true).why_unfit;
  for (const std::size_t i : cases) {
    auto& outcome = outcomes_[i];
    if (why && !outcome.judgements.empty() && outcome.verdict != Verdict::kPass &&
        outcome.verdict != Verdict::kBlind) {
      outcome.verdict = Verdict::kMachineInvalid;
      outcome.message = "it looks changed, but the device was not fit: " + *why;
      outcome.judgements.clear();
    }
  }
}

void PairedRun::compare(const std::vector<std::string>& case_keys) {
  looks_ = paired_looks(tools_.policy.paired.first_pairs, settings_.most_pairs);
  for (const auto& key : case_keys) {
    reports_.push_back({key, {}, {}});
  }
  std::vector<std::size_t> undecided(case_keys.size());
  std::iota(undecided.begin(), undecided.end(), 0);
  PairedOutcome not_measured;
  not_measured.verdict = Verdict::kNoBaseline;
  not_measured.message = "interrupted before its first look";
  not_measured.incomparable = true;
  outcomes_.assign(case_keys.size(), not_measured);
  for (std::size_t look = 0; look < looks_.size() && !undecided.empty(); ++look) {
    std::vector<std::size_t> whole;
    for (const std::size_t i : undecided) {
      if (!measure_to(reports_[i], looks_[look].pairs)) {
        break;
      }
      whole.push_back(i);
      tools_.measured(reports_[i], static_cast<int>(whole.size()),
                      static_cast<int>(undecided.size()));
    }
    judge(whole, look);
    doubt_changes(whole);
    if (interrupted_by()) {
      break;
    }
    std::erase_if(undecided, [this](std::size_t i) { return outcomes_[i].decided; });
  }
}

}  // namespace perfgate
