#include "perfgate/gate/interference.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "perfgate/stats/descriptive.h"

namespace perfgate {
namespace {

// A relative change by its size, in whichever direction.
double size_of(double log_change) { return std::expm1(std::abs(log_change)); }

// How far a metric's samples spread within a process: their interquartile range, relative; 0 where
// the process does not show such samples.
double spread_within(const WorkerReport& report, const std::string& metric) {
  const auto samples = report.samples.find(metric);
  return samples == report.samples.end() ? 0 : relative_interquartile_range(samples->second);
}

double median_spread_within(const std::vector<WorkerReport>& reports, const std::string& metric) {
  std::vector<double> out;
  for (const auto& report : reports) {
    if (report.samples.count(metric) > 0) {
      out.push_back(spread_within(report, metric));
    }
  }
  return out.empty() ? 0 : median(out);
}

// From where on the spread of a process's samples tells of others: what the case itself spreads by,
// as far as its record says, does not.
double spread_limit(const JudgeContext& context, const std::string& case_key, double limit) {
  const auto record = context.baseline.cases.find(case_key);
  if (record == context.baseline.cases.end()) {
    return limit;
  }
  constexpr double kBeyondItsOwn = 1.5;
  std::vector<double> recorded;
  const auto& figures = record->second.epochs.back().figures;
  if (const auto found = figures.find(kSampleSpread); found != figures.end()) {
    for (const auto& [id, session] : found->second) {
      recorded.push_back(median(session));
    }
  }
  return recorded.empty() ? limit : std::max(limit, kBeyondItsOwn * median(recorded));
}

std::string explanation(const JudgeContext& context, const std::string& case_key,
                        const std::vector<WorkerReport>& reports, const Judgement& judgement) {
  const auto machine = context.policy.machine_of(context.baseline.device.kind);
  const double explains = size_of(std::log1p(judgement.change)) / machine.reach;
  const double spread = median_spread_within(reports, judgement.metric);
  if (spread > std::max(spread_limit(context, case_key, machine.unrest), explains)) {
    return fmt::format(
        "the middle half of a process's samples spans {:.1f} %, as it does beside others",
        100 * spread);
  }
  return machine_objection(context.baseline, std::max(machine.doubt, explains),
                           usual_ceilings(reports));
}

std::size_t noisy(const std::vector<WorkerReport>& reports) {
  return static_cast<std::size_t>(std::count_if(
      reports.begin(), reports.end(), [](const WorkerReport& report) { return report.noisy; }));
}

// By how much the control beside this case is slower, beyond what the machine's own lost; nothing
// where one of them is not known.
std::optional<double> control_slowdown(const Baseline& baseline, const WorkerReport& report,
                                       const std::map<std::string, double>& machine) {
  const auto record = baseline.cases.find(report.case_key);
  const auto time = report.metrics.find("time");
  const auto utilisation = report.metrics.find("utilisation");
  if (record == baseline.cases.end() || time == report.metrics.end() ||
      utilisation == report.metrics.end() || report.ceilings.size() != 1) {
    return std::nullopt;
  }
  const std::string& name = report.ceilings.begin()->first;
  const auto time_before = recorded_median(record->second, "time");
  const auto utilisation_before = recorded_median(record->second, "utilisation");
  const auto machine_before = recorded_ceiling(baseline, name);
  const auto machine_now = machine.find(name);
  if (!time_before || !utilisation_before || !machine_before || machine_now == machine.end()) {
    return std::nullopt;
  }
  // Utilisation is the body's rate over the control's, so for the same work the control's rate goes
  // like one over time and utilisation.
  const double beside_it =
      time->second.figure * utilisation->second.figure / (*time_before * *utilisation_before);
  return beside_it * machine_now->second / *machine_before - 1;
}

}  // namespace

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

std::string machine_objection(const Baseline& baseline, double tolerance,
                              const std::map<std::string, double>& ceilings) {
  for (const auto& [name, now] : ceilings) {
    const auto usual = recorded_ceiling(baseline, name);
    if (usual && std::abs(std::log(now / *usual)) > std::log1p(tolerance)) {
      return fmt::format("the machine's {} is {:.4g}, {:+.0f} % from the {:.4g} of its baseline",
                         name, now, 100 * (now / *usual - 1), *usual);
    }
  }
  return "";
}

std::string unfit_to_record(const std::vector<WorkerReport>& reports) {
  const auto disturbed = noisy(reports);
  if (2 * disturbed <= reports.size()) {
    return "";
  }
  return fmt::format("in {} of {} processes others disturbed more samples than may be discarded",
                     disturbed, reports.size());
}

std::string interference(const JudgeContext& context, const std::string& case_key,
                         const std::vector<WorkerReport>& reports,
                         const std::vector<Judgement>& findings) {
  if (std::string disturbed = unfit_to_record(reports); !disturbed.empty()) {
    return disturbed;
  }
  std::string out;
  for (const auto& finding : findings) {
    out = explanation(context, case_key, reports, finding);
    if (out.empty()) {
      break;
    }
  }
  return out;
}

ControlCheck check_control(const Baseline& baseline, const WorkerReport& report,
                           const std::map<std::string, double>& machine, double doubt) {
  if (control_slowdown(baseline, report, machine).value_or(0) <= doubt) {
    return ControlCheck::kHolds;
  }
  return report.noisy ? ControlCheck::kUnknown : ControlCheck::kSlowed;
}

std::vector<WorkerReport> undisturbed(const JudgeContext& context, const std::string& case_key,
                                      const std::string& metric,
                                      const std::vector<WorkerReport>& reports) {
  const auto machine = context.policy.machine_of(context.baseline.device.kind);
  const double limit = spread_limit(context, case_key, machine.unrest);
  std::vector<double> logs;
  for (const auto& report : reports) {
    logs.push_back(std::log(report.metrics.at(metric).figure));
  }
  const double middle = median(logs);
  std::vector<WorkerReport> out;
  for (std::size_t i = 0; i < reports.size(); ++i) {
    const double explains = size_of(logs[i] - middle) / machine.reach;
    if (!reports[i].noisy && spread_within(reports[i], metric) <= std::max(limit, explains) &&
        machine_objection(context.baseline, std::max(machine.doubt, explains), reports[i].ceilings)
            .empty()) {
      out.push_back(reports[i]);
    }
  }
  return out;
}

}  // namespace perfgate
