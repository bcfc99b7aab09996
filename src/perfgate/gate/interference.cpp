#include "perfgate/gate/interference.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "perfgate/gate/change.h"
#include "perfgate/stats/descriptive.h"

namespace perfgate {
namespace {

// A relative change by its size, in whichever direction.
double size_of(double log) { return relative({std::abs(log)}); }

// How far a metric's samples spread within a process: their interquartile range, relative; nothing
// where the process does not show such samples.
std::optional<double> spread_within(const WorkerReport& report, Metric metric) {
  const auto& samples = report.phase(metric.phase).samples;
  const auto found = samples.find(std::string(name_of(metric.quantity)));
  return found == samples.end() ? std::nullopt
                                : std::optional(relative_interquartile_range(found->second));
}

double median_spread_within(const std::vector<WorkerReport>& reports, Metric metric) {
  std::vector<double> out;
  for (const auto& report : reports) {
    if (const auto spread = spread_within(report, metric)) {
      out.push_back(*spread);
    }
  }
  return out.empty() ? 0 : median(out);
}

// From where on the spread of a process's samples tells of others: what the case itself spreads by,
// as far as its record says, does not.
double spread_limit(const Judge& judge, const std::string& case_key, Phase phase,
                    const MachinePolicy& machine) {
  const double limit = machine.within_process_spread;
  const auto record = judge.baseline().cases.find(case_key);
  if (record == judge.baseline().cases.end()) {
    return limit;
  }
  std::vector<double> recorded;
  const auto& measurements = record->second.revisions.back().measurements;
  if (const auto found = measurements.find(kSampleSpread.in(phase)); found != measurements.end()) {
    for (const auto& [id, session] : found->second) {
      recorded.push_back(median(session));
    }
  }
  return recorded.empty() ? limit : std::max(limit, machine.own_spread_ratio * median(recorded));
}

std::optional<double> host_control_us(const WorkerReport& report, Phase phase) {
  const auto found = report.metrics.find(kHostControl.in(phase));
  return found == report.metrics.end() ? std::nullopt : std::optional(found->second.value);
}

// What the control took when that metric was recorded: of host passes, which are compared with the
// device's own alone, on this device.
std::optional<double> usual_control_us(const Baseline& baseline, const CaseRecord& record,
                                       Metric metric, const std::string& device_id) {
  const Metric control = kHostControl.in(metric.phase);
  if (!is_of_host_pass(metric.quantity)) {
    return recorded_median(record, control);
  }
  const Revision& revision = record.revisions.back();
  std::vector<double> out;
  for (const auto& id : references_on(baseline, revision, control, device_id)) {
    out.push_back(median(revision.measurements.at(control).at(id)));
  }
  return out.empty() ? std::nullopt : std::optional(median(out));
}

// Why a control that takes so long explains that what the host takes changed by so much.
std::optional<std::string> host_explanation(const Judge& judge, const Outcome& outcome,
                                            Metric metric, std::optional<double> control_us,
                                            double change) {
  const auto record = judge.baseline().cases.find(outcome.case_key);
  if (record == judge.baseline().cases.end() || !control_us) {
    return std::nullopt;
  }
  const auto usual = usual_control_us(judge.baseline(), record->second, metric, outcome.device_id);
  const HostPolicy& host = judge.policy().host;
  if (!usual || size_of(std::log(*control_us / *usual)) <=
                    std::max(host.interference_limit, change / host.largest_ratio)) {
    return std::nullopt;
  }
  return fmt::format(
      "the host's control takes {:.3g} us, {:+.0f} % from the {:.3g} us of its baseline",
      *control_us, 100 * (*control_us / *usual - 1), *usual);
}

std::optional<double> median_host_control_us(const std::vector<WorkerReport>& reports,
                                             Phase phase) {
  const auto out = measurements_of(reports, kHostControl.in(phase));
  return out.empty() ? std::nullopt : std::optional(median(out));
}

std::optional<std::string> explanation(const Judge& judge, const Outcome& outcome,
                                       const Judgement& judgement) {
  const auto& reports = outcome.reports;
  const double change = size_of(std::log1p(judgement.change));
  if (is_over_host_control(judgement.metric.quantity)) {
    return host_explanation(judge, outcome, judgement.metric,
                            median_host_control_us(reports, judgement.metric.phase), change);
  }
  const auto machine = judge.policy().machine_of(judge.baseline().device.kind);
  const double explains = change / machine.largest_ratio;
  const double spread = median_spread_within(reports, judgement.metric);
  if (spread >
      std::max(spread_limit(judge, outcome.case_key, judgement.metric.phase, machine), explains)) {
    return fmt::format(
        "the interquartile range of a process's samples is {:.1f} %, as it is beside others",
        100 * spread);
  }
  std::vector<CeilingRates> controls;
  for (const auto& report : reports) {
    controls.push_back(report.phase(judgement.metric.phase).ceilings);
  }
  const auto why = why_unlike_recorded(
      judge.baseline(), std::max(machine.interference_limit, explains), median_ceilings(controls));
  return why ? std::optional("beside it " + *why) : std::nullopt;
}

std::size_t noisy(const std::vector<WorkerReport>& reports) {
  return static_cast<std::size_t>(std::count_if(reports.begin(), reports.end(), is_noisy));
}

// By how much the control beside this phase is slower, beyond what the machine's own lost; nothing
// where one of them is not known.
std::optional<double> control_slowdown(const Baseline& baseline, const WorkerReport& report,
                                       Phase phase, const CeilingRates& machine) {
  const auto record = baseline.cases.find(report.case_key);
  const auto& controls = report.phase(phase).ceilings;
  const auto time = report.metrics.find(kTime.in(phase));
  const auto utilisation = report.metrics.find(kUtilisation.in(phase));
  if (record == baseline.cases.end() || time == report.metrics.end() ||
      utilisation == report.metrics.end() || controls.size() != 1) {
    return std::nullopt;
  }
  const Ceiling& ceiling = controls.begin()->first;
  const auto time_before = recorded_median(record->second, kTime.in(phase));
  const auto utilisation_before = recorded_median(record->second, kUtilisation.in(phase));
  const auto machine_before = recorded_ceiling(baseline, ceiling);
  const auto machine_now = machine.find(ceiling);
  if (!time_before || !utilisation_before || !machine_before || machine_now == machine.end()) {
    return std::nullopt;
  }
  const double beside_it = control_speed_ratio(time->second.value, utilisation->second.value,
                                               *time_before, *utilisation_before);
  return machine_now->second / *machine_before / beside_it - 1;
}

}  // namespace

double control_speed_ratio(double time_now, double utilisation_now, double time_before,
                           double utilisation_before) {
  return time_before * utilisation_before / (time_now * utilisation_now);
}

CeilingRates median_ceilings(const std::vector<CeilingRates>& measured) {
  std::map<Ceiling, std::vector<double>> all;
  for (const auto& ceilings : measured) {
    for (const auto& [ceiling, rate] : ceilings) {
      all[ceiling].push_back(rate);
    }
  }
  CeilingRates out;
  for (const auto& [ceiling, rates] : all) {
    out[ceiling] = median(rates);
  }
  return out;
}

std::optional<std::string> why_unlike_recorded(const Baseline& baseline, double tolerance,
                                               const CeilingRates& ceilings) {
  for (const auto& [ceiling, now] : ceilings) {
    const auto usual = recorded_ceiling(baseline, ceiling);
    if (usual && std::abs(std::log(now / *usual)) > std::log1p(tolerance)) {
      return fmt::format("the machine's {} is {:.4g}, {:+.0f} % from the {:.4g} of its baseline",
                         text_of(ceiling), now, 100 * (now / *usual - 1), *usual);
    }
  }
  return std::nullopt;
}

std::optional<std::string> why_unfit_to_record(const std::vector<WorkerReport>& reports) {
  const auto disturbed = noisy(reports);
  if (2 * disturbed <= reports.size()) {
    return std::nullopt;
  }
  return fmt::format("in {} of {} processes others disturbed more samples than may be discarded",
                     disturbed, reports.size());
}

std::optional<std::string> interference(const Judge& judge, const Outcome& outcome,
                                        const std::vector<Judgement>& findings) {
  if (auto disturbed = why_unfit_to_record(outcome.reports)) {
    return disturbed;
  }
  std::optional<std::string> out;
  for (const auto& finding : findings) {
    out = explanation(judge, outcome, finding);
    if (!out) {
      break;
    }
  }
  return out;
}

ControlCheck check_control(const Baseline& baseline, const WorkerReport& report,
                           const CeilingRates& machine, double interference_limit) {
  bool unknown = false;
  for (const auto& [phase, part] : report.phases) {
    if (control_slowdown(baseline, report, phase, machine).value_or(0) > interference_limit) {
      if (!part.noisy) {
        return ControlCheck::kSlowed;
      }
      unknown = true;
    }
  }
  return unknown ? ControlCheck::kUnknown : ControlCheck::kHolds;
}

std::vector<WorkerReport> undisturbed(const Judge& judge, const Outcome& outcome, Metric metric) {
  const auto& reports = outcome.reports;
  const auto machine = judge.policy().machine_of(judge.baseline().device.kind);
  const double limit = spread_limit(judge, outcome.case_key, metric.phase, machine);
  std::vector<double> logs;
  for (const auto& report : reports) {
    logs.push_back(std::log(report.metrics.at(metric).value));
  }
  const double middle = median(logs);
  std::vector<WorkerReport> out;
  for (std::size_t i = 0; i < reports.size(); ++i) {
    const double off = size_of(logs[i] - middle);
    if (is_over_host_control(metric.quantity) &&
        host_explanation(judge, outcome, metric, host_control_us(reports[i], metric.phase), off)) {
      continue;
    }
    const double explains = off / machine.largest_ratio;
    if (!reports[i].phase(metric.phase).noisy &&
        spread_within(reports[i], metric).value_or(0) <= std::max(limit, explains) &&
        !why_unlike_recorded(judge.baseline(), std::max(machine.interference_limit, explains),
                             reports[i].phase(metric.phase).ceilings)) {
      out.push_back(reports[i]);
    }
  }
  return out;
}

}  // namespace perfgate
