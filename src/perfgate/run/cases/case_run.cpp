#include "perfgate/run/cases/case_run.h"

#include <unistd.h>

#include <algorithm>
#include <exception>
#include <iterator>

#include "perfgate/baseline/baseline_folder.h"
#include "perfgate/baseline/store.h"
#include "perfgate/core/plain_text.h"
#include "perfgate/gate/interference.h"
#include "perfgate/gate/outlook.h"
#include "perfgate/model/case_key.h"
#include "perfgate/process/interrupt.h"
#include "perfgate/report/derived.h"
#include "perfgate/report/exit_code.h"
#include "perfgate/report/failure.h"
#include "perfgate/report/kernel_changes.h"
#include "perfgate/report/results_json.h"
#include "perfgate/report/sorted_table.h"
#include "perfgate/report/summary.h"
#include "perfgate/run/cases/new_run.h"
#include "perfgate/run/cases/source_diffs.h"
#include "perfgate/run/cases/strict_kernels.h"
#include "perfgate/run/cases/trace_folder.h"
#include "perfgate/run/cases/unless_broken.h"
#include "perfgate/run/machine/baselines_folder.h"
#include "perfgate/run/machine/session_settings.h"

namespace perfgate {

CaseRun::CaseRun(GateSettings settings, GateTools tools)
    : settings_(std::move(settings)),
      tools_(std::move(tools)),
      policy_(load_policy(
          baselines_folder(settings_.paths.baselines, settings_.suite, settings_.refresh.wanted))),
      baseline_path_(baseline_path(settings_.paths.baselines, tools_.device.identity().model)),
      judge_(baseline_of(baseline_path_, tools_.device.identity(), policy_), policy_,
             settings_.night),
      cases_(case_gate_tools(), judge_.baseline(), settings_.inject_slowdown),
      run_(new_run(settings_, tools_.device.identity(), baseline_path_, judge_.baseline().device)),
      machine_(tools_.launcher, tools_.device, policy_, &judge_.baseline(), tools_.clock,
               [this](const std::string& why) { wait(why); }),
      results_(settings_.paths.results, run_.info, tools_.files, tools_.clock),
      table_(tools_.console.colour(), tools_.console.columns()),
      night_(settings_.paths.night, tools_.files, tools_.clock) {}

CaseGateTools CaseRun::case_gate_tools() {
  return {tools_.launcher, tools_.device, policy_, [this](const std::string& why) { wait(why); },
          [this](const std::vector<WorkerReport>& reports) { return judge(reports); }};
}

void CaseRun::require_writable() {
  require_what_follows();
  results_.write(run_);
  if (settings_.write_traces) {
    cases_.write_traces(make_trace_folder(results_.path()));
  }
}

const Baseline* CaseRun::baseline_or_null() const {
  return baseline().cases.empty() ? nullptr : &baseline();
}

void CaseRun::start(const std::vector<std::string>& case_keys) {
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
  run_.info.session.settings = session_settings(run_.info.environment, environ);
  run_.info.session.libtorch = libtorch_of(machine);
  if (night_.is_first_on(device_id()) || machine_.why_unfit()) {
    const auto expected = outlook(judge_.of_device(machine.ceilings), night_.cases(), device_id());
    tools_.console.print(
        table_.heading(run_.info, baseline_or_null(), expected, policy_.false_alarms_a_night) +
        table_.machine_line(run_.info, baseline_or_null(), machine_.why_unfit()));
  }
}

void CaseRun::wait(const std::string& why) {
  tools_.console.show_passing("  waiting for the machine: " + why);
  tools_.sleep(kRetryDelay);
}

Outcome CaseRun::measured(const std::string& case_key) {
  if (!machine_.why_unfit()) {
    return measure(case_key);
  }
  Outcome out;
  out.case_key = case_key;
  out.device_id = device_id();
  out.verdict = Verdict::kMachineInvalid;
  out.message = *machine_.why_unfit();
  out.recorded = run_.info.refresh ? Recorded::kRefused : Recorded::kNot;
  return out;
}

Outcome CaseRun::completed(Outcome outcome) const {
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
  complete(outcome);
  outcome.message = shortened(plain(outcome.message));
  for (auto& report : outcome.reports) {
    report.message = shortened(plain(report.message));
  }
  require_readable(outcome);
  return outcome;
}

Outcome CaseRun::gate(const std::string& case_key) {
  const int done = night_.done();
  tools_.console.show_passing(table_.progress(done + 1, night_.total(), case_key, night_.eta_s()));
  Outcome outcome = unless_broken(case_key, device_id(), [&] {
    Outcome out = measured(case_key);
    return interrupted_by() ? out : completed(std::move(out));
  });
  if (interrupted_by()) {
    return outcome;  // half a measurement is none
  }
  outcome = keep(std::move(outcome));
  add(outcome);
  write_results_if_due();
  return outcome;
}

void CaseRun::add(Outcome outcome) {
  run_.outcomes.push_back(std::move(outcome));
  numbers_.push_back(night_.next());
  tools_.console.print(table_.row(run_.outcomes.back(), numbers_.back(), night_.total()));
}

std::string CaseRun::explain(const Outcome& outcome) const {
  return plain_lines(failure_text(outcome, run_.info, baseline_or_null()));
}

std::vector<std::string> CaseRun::explain(const std::vector<const Outcome*>& failures) const {
  auto out = failure_texts(failures, run_.info, baseline_or_null());
  for (auto& text : out) {
    text = plain_lines(text);
  }
  return out;
}

void CaseRun::look_for_lost(const std::function<bool(const std::string&)>& is_ours,
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

void CaseRun::replace(std::size_t place, Outcome outcome) {
  Outcome& old = run_.outcomes[place];
  if (outcome.verdict != old.verdict || outcome.message != old.message) {
    tools_.console.print(table_.row(outcome, numbers_[place], night_.total()));
  }
  old = std::move(outcome);
}

std::optional<std::string> CaseRun::why_unfit_at_the_end() {
  const auto why = cases_.why_not_exclusive();
  return why ? why
             : why_unlike_recorded(baseline(), policy_.machine_of(baseline().device.kind).tolerance,
                                   machine_.usual());
}

// One that fails now is tried again at the end, which says so: a test that threw would hide it.
void CaseRun::write_results_if_due() {
  try {
    results_.write_if_due(run_);
  } catch (const SystemError&) {
  }
}

std::vector<std::string> CaseRun::not_run() const {
  std::set<std::string> gated;
  for (const auto& outcome : run_.outcomes) {
    gated.insert(outcome.case_key);
  }
  std::vector<std::string> out;
  std::copy_if(selected_.begin(), selected_.end(), std::back_inserter(out),
               [&gated](const std::string& key) { return gated.count(key) == 0; });
  return out;
}

ExitCode CaseRun::finish(bool tests_passed) {
  run_.not_run = not_run();
  run_.partial = interrupted_by().has_value() || !run_.info.selection.empty();
  conclude();
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
  bool says_more = false;
  or_later([&] { says_more = write_what_follows(); });
  if (says_more) {
    or_later(write_results);
  }
  if (settings_.sort == TableOrder::kChange) {
    tools_.console.report(table_by_change(run_, tools_.console.colour(), tools_.console.columns()));
  }
  tools_.console.report(other_kernels_text(run_.outcomes, baseline_or_null()));
  tools_.console.report(closing_text());
  tools_.console.report(summary_text(run_, results_.path().string(), tools_.console.colour()));
  if (unwritten) {
    std::rethrow_exception(unwritten);
  }
  return run_.exit_code;
}

}  // namespace perfgate
