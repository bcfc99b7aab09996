#include "perfgate/run/compare/against.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "perfgate/gate/policy.h"
#include "perfgate/process/interrupt.h"
#include "perfgate/report/exit_code.h"
#include "perfgate/report/paired_text.h"
#include "perfgate/run/compare/paired_run.h"
#include "perfgate/run/machine/baselines_folder.h"
#include "perfgate/run/machine/host.h"
#include "perfgate/run/machine/machine_admission.h"
#include "perfgate/run/machine/session_settings.h"

namespace perfgate {
namespace {

// This process's environment as a build's processes get it.
std::vector<std::string> environment_with(const std::map<std::string, std::string>& variables) {
  std::vector<std::string> out;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    if (variables.count(text.substr(0, text.find('='))) == 0) {
      out.push_back(text);
    }
  }
  for (const auto& [name, value] : variables) {
    out.push_back(name + "=" + value);
  }
  return out;
}

// What differs between the builds, as far as their processes say it.
SessionRecord session_of(const DeviceIdentity& identity, const WorkerReport& machine,
                         const std::map<std::string, std::string>& variables) {
  SessionRecord out = describe_session(identity, {});
  auto facts = identity.details;
  facts.merge(std::map(machine.environment));
  const auto environment = environment_with(variables);
  std::vector<const char*> entries;
  for (const auto& entry : environment) {
    entries.push_back(entry.c_str());
  }
  entries.push_back(nullptr);
  out.settings = session_settings(facts, entries.data());
  out.libtorch = libtorch_of(machine);
  return out;
}

std::string text_of(const std::map<std::string, std::string>& variables) {
  std::string out;
  for (const auto& [name, value] : variables) {
    out += (out.empty() ? "" : " ") + name + "=" + value;
  }
  return out;
}

// Of the older build's processes the first, by which it shows that it can be driven at all.
WorkerReport machine_before(const AgainstSettings& settings, const AgainstTools& tools) {
  tools.now.stop_workers();
  WorkerReport out = measure_machine(tools.before);
  if (out.status != WorkerStatus::kMeasured && !interrupted_by()) {
    throw UsageError("the build to compare with cannot be measured, " + settings.before.string() +
                         ": " + out.message,
                     "build both from commits of one worker interface, and check the variables");
  }
  tools.before.stop_workers();
  return out;
}

}  // namespace

ExitCode compare_builds(const AgainstSettings& settings, const AgainstTools& tools) {
  const Policy policy = load_policy(settings.baselines);
  const DeviceIdentity identity = tools.device.identity();
  const Seconds started = tools.clock();
  const auto wait = [&](const std::string& why) {
    tools.console.show_passing("  waiting for the machine: " + why);
    tools.sleep(kRetryDelay);
  };
  MachineAdmission machine(tools.now, tools.device, policy, nullptr, tools.clock, wait);
  machine.admit();
  const WorkerReport before = machine_before(settings, tools);
  if (interrupted_by()) {
    return ExitCode::kFail;
  }

  Comparison comparison;
  comparison.device.kind = identity.kind;
  comparison.device.model = identity.model;
  comparison.device_id = identity.device_id;
  comparison.before = {settings.before.string(), text_of(settings.variables_before),
                       session_of(identity, before, settings.variables_before)};
  comparison.now = {settings.now.string(), text_of(settings.variables_now),
                    session_of(identity, machine.machine(), settings.variables_now)};
  comparison.before.session.commit = settings.commit_before;
  comparison.now.session.commit = settings.commit_now;
  comparison.first_pairs = policy.paired.first_pairs;
  comparison.most_pairs = settings.most_pairs > 0 ? settings.most_pairs : policy.paired.most_pairs;
  comparison.false_alarms = policy.false_alarms_a_night;
  comparison.inject_slowdown = settings.inject_slowdown;
  tools.console.print(paired_heading(comparison, machine.why_unfit().value_or("")));
  if (machine.why_unfit()) {
    return ExitCode::kRefused;
  }

  PairedRun run({tools.before, tools.now, tools.device, policy, wait,
                 [&](const PairedReports& reports, int number, int total) {
                   tools.console.print(paired_row(reports, number, total));
                 }},
                {comparison.most_pairs, settings.inject_slowdown, machine.machine().ceilings});
  run.compare(settings.case_keys);
  comparison.metrics = run.metrics();
  comparison.elapsed_s = (tools.clock() - started).count();
  comparison.interrupted = interrupted_by().has_value();
  tools.console.report(
      paired_report(comparison, run.reports(), run.outcomes(), tools.console.colour()));
  const ExitCode code = exit_code_of(run.outcomes(), policy.blind_share);
  return held_to_selection(code, settings.selection, tools.console);
}

}  // namespace perfgate
