#include "perfgate/run/night/gatekeeper.h"

#include <unistd.h>

#include <algorithm>
#include <exception>
#include <iterator>

#include "perfgate/core/errors.h"
#include "perfgate/core/plain_text.h"
#include "perfgate/gate/canary_turns.h"
#include "perfgate/gate/decide.h"
#include "perfgate/gate/interference.h"
#include "perfgate/gate/outlook.h"
#include "perfgate/gate/second_look.h"
#include "perfgate/model/case_key.h"
#include "perfgate/process/interrupt.h"
#include "perfgate/report/derived.h"
#include "perfgate/report/failure.h"
#include "perfgate/report/kernel_changes.h"
#include "perfgate/report/refresh_text.h"
#include "perfgate/report/results_json.h"
#include "perfgate/report/session_changes.h"
#include "perfgate/report/sorted_table.h"
#include "perfgate/report/summary.h"
#include "perfgate/run/machine/baselines_folder.h"
#include "perfgate/run/machine/session_settings.h"
#include "perfgate/run/night/canary_round.h"
#include "perfgate/run/night/creep_judging.h"
#include "perfgate/run/night/global_judging.h"
#include "perfgate/run/night/new_run.h"
#include "perfgate/run/night/night_history.h"
#include "perfgate/run/night/published.h"
#include "perfgate/run/night/source_diffs.h"
#include "perfgate/run/night/strict_kernels.h"
#include "perfgate/run/night/trace_folder.h"
#include "perfgate/run/night/unless_broken.h"

namespace perfgate {

Gatekeeper::Gatekeeper(GateSettings settings, GateTools tools)
    : settings_(std::move(settings)),
      tools_(std::move(tools)),
      policy_(load_policy(
          baselines_folder(settings_.paths.baselines, settings_.suite, settings_.refresh.wanted))),
      baseline_path_(baseline_path(settings_.paths.baselines, tools_.device.identity().model)),
      learned_(baseline_of(baseline_path_, tools_.device.identity(), policy_), policy_,
               settings_.night),
      memory_(night_log_path(settings_.paths.history, tools_.device.identity().model), learned_,
              policy_, tools_.device.identity().device_id, tools_.files),
      cases_(case_gate_tools(), learned_.baseline(), settings_.inject_slowdown),
      run_(
          new_run(settings_, tools_.device.identity(), baseline_path_, learned_.baseline().device)),
      recorder_(settings_.refresh, policy_, learned_.baseline(), baseline_path_, run_.info.session,
                tools_.files),
      machine_(tools_.launcher, tools_.device, policy_, learned_.baseline(), tools_.clock,
               [this](const std::string& why) { wait(why); }),
      results_(settings_.paths.results, run_.info, tools_.files, tools_.clock),
      table_(tools_.console.colour(), tools_.console.columns()),
      night_(settings_.paths.night, tools_.files, tools_.clock) {}

CaseGateTools Gatekeeper::case_gate_tools() {
  return {tools_.launcher, tools_.device, policy_, [this](const std::string& why) { wait(why); },
          [this](const std::vector<WorkerReport>& reports) {
            const auto& ceilings = run_.info.session.ceilings;
            return settings_.refresh.wanted
                       ? decide(learned_.context(ceilings), reports, device_id())
                       : memory_.judge(reports, ceilings, siblings_ ? &*siblings_ : nullptr);
          }};
}

void Gatekeeper::require_writable() {
  if (settings_.refresh.wanted) {
    if (const auto why = tools_.device.identity().why_not_kept) {
      throw UsageError(
          "nothing can be recorded of this machine, which would not be known again: " + *why,
          "name it with --device_id=NAME, by the same name in each run");
    }
    const FileLock writable(lock_path(baseline_path_));  // or throws now, not after the measuring
  }
  static_cast<void>(for_each_night(night_history(), [](const CaseNight&) {}));  // known now, too
  results_.write(run_);
  if (settings_.write_traces) {
    cases_.write_traces(make_trace_folder(results_.path()));
  }
}

std::filesystem::path Gatekeeper::night_history() const {
  return night_history_path(settings_.paths.history, tools_.device.identity().model);
}

const Baseline* Gatekeeper::baseline_or_null() const {
  return baseline().cases.empty() ? nullptr : &baseline();
}

void Gatekeeper::start(const std::vector<std::string>& case_keys) {
  selected_ = case_keys;
  night_.begin(case_keys);
  machine_.admit();
  if (interrupted_by()) {
    return;
  }
  const WorkerReport& machine = machine_.machine();
  run_.info.session.ceilings = machine.ceilings;
  cases_.use_ceilings(machine.ceilings);
  run_.info.no_trace = why_untraced(machine.phase(Phase::kWhole));
  run_.info.environment.merge(std::map(machine.environment));
  run_.info.environment.merge(std::map(machine_.health().facts));
  const auto libtorch = machine.environment.find("libtorch");
  run_.info.session.settings = session_settings(run_.info.environment, environ);
  run_.info.session.libtorch = libtorch == machine.environment.end() ? "unknown" : libtorch->second;
  if (night_.is_first_on(device_id()) || machine_.why_unfit()) {
    const auto expected = outlook(learned_.context(machine.ceilings), night_.cases(), device_id());
    tools_.console.print(
        table_.heading(run_.info, baseline_or_null(), expected, policy_.false_alarms_a_night) +
        table_.machine_line(run_.info, baseline_or_null(), machine_.why_unfit()));
  }
}

void Gatekeeper::wait(const std::string& why) {
  tools_.console.show_passing("  waiting for the machine: " + why);
  tools_.sleep(kRetryDelay);
}

Outcome Gatekeeper::measured(const std::string& case_key) {
  if (!machine_.why_unfit()) {
    return settings_.refresh.wanted ? cases_.record(case_key) : cases_.gate(case_key);
  }
  Outcome out;
  out.case_key = case_key;
  out.device_id = device_id();
  out.verdict = Verdict::kMachineInvalid;
  out.message = *machine_.why_unfit();
  out.recorded = settings_.refresh.wanted ? Recorded::kRefused : Recorded::kNot;
  return out;
}

Outcome Gatekeeper::completed(Outcome outcome) const {
  if (const auto* judgement = outcome.deciding(); judgement != nullptr) {
    outcome.learning =
        run_.info.local_baseline && judgement->sessions < policy_.known_device_sessions;
  }
  if (!outcome.reports.empty()) {
    outcome.source_diff =
        write_source_diff(folder_of_sources(results_.path()), outcome, baseline());
  }
  if (settings_.strict_kernels) {
    hold_to_recorded_kernels(outcome, baseline());
  }
  if (!settings_.refresh.wanted) {
    memory_.look_back(outcome, run_.info.started);
  }
  outcome.message = shortened(plain(outcome.message));
  for (auto& report : outcome.reports) {
    report.message = shortened(plain(report.message));
  }
  require_readable(outcome);
  return outcome;
}

Outcome Gatekeeper::gate(const std::string& case_key) {
  const int done = night_.done();
  tools_.console.show_passing(table_.progress(done + 1, night_.total(), case_key, night_.eta_s()));
  Outcome outcome = unless_broken(case_key, device_id(), [&] {
    Outcome out = measured(case_key);
    return interrupted_by() ? out : completed(std::move(out));
  });
  if (interrupted_by()) {
    return outcome;  // half a measurement is none
  }
  if (settings_.refresh.wanted && !machine_.why_unfit()) {
    outcome = unless_broken(case_key, device_id(), [&] {
      Outcome out = outcome;
      recorder_.consider(out);
      return out;
    });
    machine_.measure_again_if_due();
  }
  add(outcome);
  write_results_if_due();
  return outcome;
}

void Gatekeeper::add(Outcome outcome) {
  run_.outcomes.push_back(std::move(outcome));
  numbers_.push_back(night_.next());
  tools_.console.print(table_.row(run_.outcomes.back(), numbers_.back(), night_.total()));
}

std::string Gatekeeper::explain(const Outcome& outcome) const {
  return plain_lines(failure_text(outcome, run_.info, baseline_or_null()));
}

std::vector<std::string> Gatekeeper::explain(const std::vector<const Outcome*>& failures) const {
  auto out = failure_texts(failures, run_.info, baseline_or_null());
  for (auto& text : out) {
    text = plain_lines(text);
  }
  return out;
}

void Gatekeeper::look_for_lost(const std::function<bool(const std::string&)>& is_ours,
                               const std::function<bool(const std::string&)>& is_declared) {
  for (const auto& [key, record] : baseline().cases) {
    if (is_ours(key) && !is_declared(key)) {
      Outcome outcome;
      outcome.case_key = key;
      outcome.device_id = run_.info.session.device_id;
      outcome.verdict = Verdict::kLost;
      outcome.message =
          "in the baseline, and no test declares it any more; if it is gone or has another key on "
          "purpose, remove it from " +
          run_.info.baseline_path + "/*/" + family_of(key) + ".json";
      add(std::move(outcome));
    }
  }
}

void Gatekeeper::look_again() {
  const bool slowed_alike = settings_.inject_slowdown > 0;  // siblings would take it for the device
  if (settings_.refresh.wanted || slowed_alike || interrupted_by()) {
    return;
  }
  const auto& ceilings = run_.info.session.ceilings;
  siblings_ = sibling_changes(learned_.context(ceilings), run_.outcomes);
  const JudgeContext context = learned_.context_of_night(ceilings, &*siblings_);
  cases_.expect({});  // few are measured again: which comes next is not known
  for (std::size_t i = 0; i < run_.outcomes.size(); ++i) {
    Outcome& outcome = run_.outcomes[i];
    if (!has_second_look(context, outcome)) {
      continue;
    }
    tools_.console.show_passing("  beside its siblings: " + outcome.case_key);
    Outcome again = unless_broken(outcome.case_key, outcome.device_id,
                                  [&] { return completed(cases_.look_again(outcome)); });
    if (interrupted_by()) {
      return;
    }
    if (again.verdict != outcome.verdict || again.message != outcome.message) {
      tools_.console.print(table_.row(again, numbers_[i], night_.total()));
    }
    outcome = std::move(again);
    write_results_if_due();
  }
}

void Gatekeeper::gate_canaries() {
  if (settings_.canaries == 0 || interrupted_by()) {
    return;
  }
  const auto& night = settings_.night;
  const CanaryRound round{day_of(run_.info.started), settings_.canaries / 100,
                          night.empty() ? baseline().cases.size() : night.size(),
                          run_.info.session.ceilings};
  run_.canaries = perfgate::gate_canaries(
      case_gate_tools(), baseline(), run_.outcomes, round,
      [this](const std::string& key) { tools_.console.show_passing("  canary " + key); });
}

std::optional<std::string> Gatekeeper::why_unfit_at_the_end() {
  const auto why = cases_.why_not_exclusive();
  return why ? why
             : why_unlike_recorded(baseline(), policy_.machine_of(baseline().device.kind).tolerance,
                                   machine_.usual());
}

// Writes what was kept, unless the machine turns out not to have been fit for it.
void Gatekeeper::record_session() {
  if (recorder_.keeps_nothing()) {
    return;
  }
  machine_.complete_measurements();
  run_.info.session.ceilings = machine_.usual();
  if (const auto why_unfit = why_unfit_at_the_end()) {
    recorder_.refuse_all("the device was not fit when the session ended: " + *why_unfit,
                         run_.outcomes);
  }
  for (const auto& outcome : run_.outcomes) {
    if (!outcome.reports.empty()) {
      run_.info.session.settings.merge(settings_of_case(outcome.reports.front()));
    }
  }
  recorder_.write();
}

void Gatekeeper::look_over_nights() {
  if (!settings_.refresh.wanted && settings_.inject_slowdown == 0) {
    memory_.remember(run_.outcomes, run_.info.session);
  }
  if (is_a_night(run_, settings_.selection, settings_.refresh.wanted, settings_.inject_slowdown)) {
    tools_.console.report(judge_over_nights(learned_, night_history(), tools_.files, run_));
  }
}

// One that fails now is tried again at the end, which says so: a test that threw would hide it.
void Gatekeeper::write_results_if_due() {
  try {
    results_.write_if_due(run_);
  } catch (const SystemError&) {
  }
}

std::vector<std::string> Gatekeeper::not_run() const {
  std::set<std::string> gated;
  for (const auto& outcome : run_.outcomes) {
    gated.insert(outcome.case_key);
  }
  std::vector<std::string> out;
  std::copy_if(selected_.begin(), selected_.end(), std::back_inserter(out),
               [&gated](const std::string& key) { return gated.count(key) == 0; });
  return out;
}

ExitCode Gatekeeper::finish(bool tests_passed) {
  run_.not_run = not_run();
  run_.partial = interrupted_by().has_value() || !run_.info.selection.empty();
  if (settings_.refresh.wanted) {
    record_session();
  } else {
    judge_globally(
        learned_, machine_.usual(), [this] { return why_unfit_at_the_end(); }, run_);
  }
  // What was measured is written and told first, whatever cannot be written behind it.
  std::exception_ptr unwritten;
  const auto or_later = [&unwritten](const auto& write) {
    try {
      write();
    } catch (...) {  // a full disk, or a history that somebody else has spoilt
      unwritten = unwritten ? unwritten : std::current_exception();
    }
  };
  const auto write_results = [&] {
    run_.exit_code = stronger(exit_code_of(run_, {settings_.require_baseline, policy_.blind_share}),
                              tests_passed ? ExitCode::kSkipped : ExitCode::kFail);
    results_.write(run_);
  };
  or_later(write_results);
  or_later([this] { look_over_nights(); });
  if (!run_.creeps.empty()) {
    or_later(write_results);
  }
  if (settings_.sort == TableOrder::kChange) {
    tools_.console.report(table_by_change(run_, tools_.console.colour(), tools_.console.columns()));
  }
  tools_.console.report(other_kernels_text(run_.outcomes, baseline_or_null()));
  tools_.console.report(
      settings_.refresh.wanted
          ? refresh_text(run_, settings_.refresh.reason)
          : published_text(run_.outcomes,
                           load_published(run_.outcomes, settings_.suite.baselines)));
  tools_.console.report(summary_text(run_, results_.path().string(), tools_.console.colour()));
  if (unwritten) {
    std::rethrow_exception(unwritten);
  }
  return run_.exit_code;
}

}  // namespace perfgate
