#include "perfgate/gate/decide.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "perfgate/stats/descriptive.h"

namespace perfgate {
namespace {

Verdict verdict_of(WorkerStatus status) {
  switch (status) {
    case WorkerStatus::kWrong:
      return Verdict::kWrong;
    case WorkerStatus::kUnsupported:
      return Verdict::kUnsupported;
    case WorkerStatus::kError:
    case WorkerStatus::kMeasured:
      return Verdict::kError;
  }
  return Verdict::kError;
}

// Worst first; a case with one regressed and one improved metric has regressed.
Verdict worse(Verdict a, Verdict b) {
  for (const Verdict verdict : {Verdict::kRegressed, Verdict::kImproved}) {
    if (a == verdict || b == verdict) {
      return verdict;
    }
  }
  return Verdict::kPass;
}

std::string setting_text(const Protocol& protocol, const std::string& name) {
  const auto found = protocol.find(name);
  if (found == protocol.end()) {
    return "unset";
  }
  if (const auto* flag = std::get_if<bool>(&found->second)) {
    return *flag ? "true" : "false";
  }
  if (const auto* number = std::get_if<std::int64_t>(&found->second)) {
    return std::to_string(*number);
  }
  return std::get<std::string>(found->second);
}

std::string protocol_difference(const Protocol& before, const Protocol& now) {
  Protocol names = before;
  names.insert(now.begin(), now.end());
  for (const auto& [name, unused] : names) {
    const std::string old_text = setting_text(before, name);
    const std::string new_text = setting_text(now, name);
    if (old_text != new_text) {
      return fmt::format("recorded under another protocol ({} {}, now {})", name, old_text,
                         new_text);
    }
  }
  return "";
}

// What keeps a metric from being judged.
struct Obstacle {
  Verdict verdict = Verdict::kError;
  std::string message;
};

std::optional<Obstacle> obstacle_to(const std::string& name, const MetricRecord& metric,
                                    const std::vector<WorkerReport>& reports) {
  for (const auto& report : reports) {
    if (report.metrics.count(name) == 0 ||
        (name == kCycles && report.metrics.count(kNetTime) == 0)) {
      const auto trace = report.environment.find("kernel_trace");
      if (trace != report.environment.end()) {  // never judged another way instead
        return Obstacle{Verdict::kUnsupported,
                        "judged by " + name + ", which needs a kernel trace: " + trace->second};
      }
      return Obstacle{Verdict::kLost, "the judged metric \"" + name + "\" is no longer measured"};
    }
    const std::string difference = protocol_difference(metric.protocol, report.protocol);
    if (!difference.empty()) {
      return Obstacle{Verdict::kNoBaseline, difference};
    }
  }
  return std::nullopt;
}

// How unsteady a metric's samples are within a process: their interquartile range, relative; the
// median of the processes that show such samples, or 0.
double unrest_of(const std::vector<WorkerReport>& reports, const std::string& metric) {
  std::vector<double> out;
  for (const auto& report : reports) {
    const auto samples = report.samples.find(metric);
    if (samples != report.samples.end()) {
      out.push_back(relative_interquartile_range(samples->second));
    }
  }
  return out.empty() ? 0 : median(out);
}

// What the controls of most processes read.
std::map<std::string, double> usual_ceilings(const std::vector<WorkerReport>& reports) {
  std::map<std::string, std::vector<double>> readings;
  for (const auto& report : reports) {
    for (const auto& [name, reading] : report.ceilings) {
      readings[name].push_back(reading);
    }
  }
  std::map<std::string, double> out;
  for (const auto& [name, values] : readings) {
    out[name] = median(values);
  }
  return out;
}

// Why others may have made this change, or empty. A neighbour on the other half of a core slows a
// body more than it slows the controls, or most of its samples and no control.
std::string doubt_of_change(const JudgeContext& context, const MachinePolicy& machine,
                            const std::vector<WorkerReport>& reports, const Judgement& judgement) {
  const double slower = std::expm1(std::abs(std::log1p(judgement.change)));  // or faster
  const double explains = slower / machine.reach;
  const double unrest = unrest_of(reports, judgement.metric);
  if (unrest > std::max(machine.unrest, explains)) {
    return fmt::format(
        "the middle half of a process's samples spans {:.1f} %, as it does beside others",
        100 * unrest);
  }
  return machine_objection(context.baseline, std::max(machine.doubt, explains),
                           usual_ceilings(reports));
}

// Why what looks changed is not believed, or empty.
std::string doubt_of(const JudgeContext& context, const std::vector<WorkerReport>& reports,
                     const Outcome& outcome) {
  const auto noisy = static_cast<std::size_t>(std::count_if(
      reports.begin(), reports.end(), [](const WorkerReport& report) { return report.noisy; }));
  if (2 * noisy > reports.size()) {
    return fmt::format("in {} of {} processes others disturbed more samples than may be discarded",
                       noisy, reports.size());
  }
  const auto machine = context.policy.machine_of(context.baseline.device.kind);
  std::string out;
  for (const auto& judgement : outcome.judgements) {
    if (judgement.verdict == outcome.verdict) {
      out = doubt_of_change(context, machine, reports, judgement);
      if (out.empty()) {
        break;  // one that is believed is enough
      }
    }
  }
  return out;
}

SessionFigures tonights_figures(const std::vector<WorkerReport>& reports) {
  SessionFigures out;
  for (const auto& report : reports) {
    for (const auto& [name, reading] : report.metrics) {
      out[name].push_back(reading.figure);
    }
  }
  return out;
}

}  // namespace

Outcome decide(const JudgeContext& context, const std::vector<WorkerReport>& reports,
               const std::string& unit) {
  Outcome out;
  out.case_key = reports.front().case_key;
  out.unit = unit;
  out.reports = reports;
  const auto found = context.baseline.cases.find(out.case_key);
  const bool recorded = found != context.baseline.cases.end();

  for (const auto& report : reports) {
    if (report.status == WorkerStatus::kMeasured) {
      continue;
    }
    out.verdict = verdict_of(report.status);
    out.message = report.message;
    if (recorded && out.verdict == Verdict::kUnsupported) {
      out.verdict = Verdict::kLost;
      out.message = "in the baseline, and no longer runs: " + report.message;
    }
    return out;
  }
  const auto machine = context.policy.machine_of(context.baseline.device.kind);
  for (const auto& report : reports) {
    out.message = report.objection
                      ? "the device was not fit: " + *report.objection
                      : machine_objection(context.baseline, machine.tolerance, report.ceilings);
    if (!out.message.empty()) {
      out.verdict = Verdict::kMachineInvalid;
      return out;
    }
  }
  if (!recorded) {
    out.verdict = Verdict::kNoBaseline;
    out.message = "no baseline";
    return out;
  }
  out.verdict = Verdict::kPass;
  const SessionFigures tonight = tonights_figures(reports);
  for (const auto& [name, metric] : found->second.metrics) {
    if (!metric.judged) {
      continue;
    }
    if (const auto obstacle = obstacle_to(name, metric, reports)) {
      out.verdict = obstacle->verdict;
      out.message = obstacle->message;
      return out;
    }
    out.judgements.push_back(judge(context, out.case_key, name, tonight, unit));
    out.verdict = worse(out.verdict, out.judgements.back().verdict);
  }
  if (out.verdict == Verdict::kPass) {
    return out;
  }
  if (const std::string doubt = doubt_of(context, reports, out); !doubt.empty()) {
    out.verdict = Verdict::kMachineInvalid;
    out.message = "it looks changed, but " + doubt;
  }
  return out;
}

std::string machine_objection(const Baseline& baseline, double tolerance,
                              const std::map<std::string, double>& ceilings) {
  for (const auto& [name, now] : ceilings) {
    std::vector<double> before;
    for (const auto& [id, session] : baseline.sessions) {
      const auto found = session.ceilings.find(name);
      if (found != session.ceilings.end()) {
        before.push_back(found->second);
      }
    }
    if (before.empty()) {
      continue;
    }
    const double usual = median(before);
    if (std::abs(std::log(now / usual)) > std::log1p(tolerance)) {
      return fmt::format("the machine's {} is {:.4g}, {:+.0f} % from the {:.4g} of its baseline",
                         name, now, 100 * (now / usual - 1), usual);
    }
  }
  return "";
}

}  // namespace perfgate
