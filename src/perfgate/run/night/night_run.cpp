#include "perfgate/run/night/night_run.h"

#include <utility>

#include "perfgate/gate/canary_turns.h"
#include "perfgate/gate/second_look.h"
#include "perfgate/process/interrupt.h"
#include "perfgate/report/derived.h"
#include "perfgate/run/cases/unless_broken.h"
#include "perfgate/run/night/canary_round.h"
#include "perfgate/run/night/creep_judging.h"
#include "perfgate/run/night/global_judging.h"
#include "perfgate/run/night/night_history.h"
#include "perfgate/run/night/published.h"

namespace perfgate {

NightRun::NightRun(GateSettings settings, GateTools tools)
    : CaseRun(std::move(settings), std::move(tools)),
      history_(night_history_path(settings_.paths.history, tools_.device.identity().model)),
      past_(history_, judge_, policy_, tools_.device.identity().device_id, run_.info.started) {}

void NightRun::require_what_follows() { require_writable_history(history_); }

Outcome NightRun::judge(const std::vector<WorkerReport>& reports) const {
  return past_.judge(reports, run_.info.session.ceilings, siblings_ ? &*siblings_ : nullptr);
}

void NightRun::complete(Outcome& outcome) const { past_.look_back(outcome); }

void NightRun::behind_cases() {
  if (!interrupted_by() && settings_.inject_slowdown == 0) {  // siblings would take that for the
    look_again();                                             // device
  }
  if (!interrupted_by() && settings_.canaries > 0) {
    gate_canaries();
  }
}

void NightRun::conclude() {
  judge_globally(
      judge_, machine_.usual(), [this] { return why_unfit_at_the_end(); }, run_);
}

bool NightRun::write_what_follows() {
  if (settings_.inject_slowdown != 0) {
    return false;
  }
  SessionRecord tonight = run_.info.session;
  tonight.date = run_.info.started;
  const bool whole = is_a_night(run_, settings_.selection);
  auto lines = whole ? case_nights(judge_, tonight, run_.outcomes) : std::vector<CaseNight>();
  past_.add_what_is_left(run_.outcomes, tonight, lines);
  tools_.console.report(append_nights(history_, lines, tools_.files));
  if (whole) {
    tools_.console.report(judge_over_nights(judge_, history_, run_));
  }
  return !run_.creeps.empty();
}

std::string NightRun::closing_text() const {
  return published_text(run_.outcomes, load_published(run_.outcomes, settings_.suite.baselines));
}

void NightRun::look_again() {
  const auto& ceilings = run_.info.session.ceilings;
  siblings_ = sibling_changes(judge_.of_device(ceilings), run_.outcomes);
  const Judge second = judge_.of_device(ceilings).of_two_looks(&*siblings_);
  cases_.expect({});  // few are measured again: which comes next is not known
  for (std::size_t i = 0; i < run_.outcomes.size(); ++i) {
    const Outcome& outcome = run_.outcomes[i];
    if (!has_second_look(second, outcome)) {
      continue;
    }
    tools_.console.show_passing("  beside its siblings: " + outcome.case_key);
    Outcome again = unless_broken(outcome.case_key, outcome.device_id,
                                  [&] { return completed(cases_.look_again(outcome)); });
    if (interrupted_by()) {
      return;
    }
    replace(i, std::move(again));
    write_results_if_due();
  }
}

void NightRun::gate_canaries() {
  const auto& night = settings_.night;
  const CanaryRound round{day_of(run_.info.started), settings_.canaries / 100,
                          night.empty() ? baseline().cases.size() : night.size(),
                          run_.info.session.ceilings};
  run_.canaries = perfgate::gate_canaries(
      case_gate_tools(), baseline(), run_.outcomes, round,
      [this](const std::string& key) { tools_.console.show_passing("  canary " + key); });
}

}  // namespace perfgate
