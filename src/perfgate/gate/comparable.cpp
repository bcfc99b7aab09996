#include "perfgate/gate/comparable.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace perfgate {
namespace {

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

// The first setting of perfgate's own that differs.
std::optional<std::string> protocol_difference(const Protocol& before, const Protocol& now) {
  Protocol names = before;
  names.insert(now.begin(), now.end());
  names.erase(kQueuedWhole);
  for (const auto& [name, unused] : without_own_settings(std::move(names))) {
    const std::string old_text = setting_text(before, name);
    const std::string new_text = setting_text(now, name);
    if (old_text != new_text) {
      return fmt::format("recorded under another protocol ({} {}, now {})", name, old_text,
                         new_text);
    }
  }
  return std::nullopt;
}

std::optional<Finding> missing(Metric metric, const CaseRecord& record,
                               const WorkerReport& report) {
  if (has_metric(report, metric) || is_optional(metric.quantity)) {
    return std::nullopt;
  }
  const auto& part = report.phase(metric.phase);
  if (const auto why = why_untraced(part)) {  // never judged another way instead
    return Finding{Verdict::kMachineInvalid,
                   "judged by " + text_of(metric) + ", which needs a kernel trace: " + *why};
  }
  if (metric.quantity == Quantity::kCycles &&
      is_queued_whole(record.phase(metric.phase).protocol) != is_queued_whole(part.protocol)) {
    return std::nullopt;  // only measured of what can be queued whole: see changed_behaviour
  }
  return Finding{Verdict::kLost,
                 "the judged metric \"" + text_of(metric) + "\" is no longer measured"};
}

std::optional<Finding> changed_behaviour(Phase phase, const Protocol& recorded,
                                         const std::vector<WorkerReport>& reports) {
  const auto before = is_queued_whole(recorded);
  const auto changed = static_cast<std::size_t>(
      std::count_if(reports.begin(), reports.end(), [&](const WorkerReport& report) {
        return before && is_queued_whole(report.phase(phase).protocol) != before;
      }));
  if (changed == 0) {
    return std::nullopt;
  }
  const std::string processes =
      changed == reports.size() ? ""
                                : fmt::format(" in {} of {} processes", changed, reports.size());
  if (!*before) {
    return Finding{2 * changed > reports.size() ? Verdict::kImproved : Verdict::kPass,
                   prefix_of(phase) + "it can be queued before it runs" + processes +
                       ", where it waited for the host when it was recorded"};
  }
  return Finding{2 * changed > reports.size() ? Verdict::kRegressed : Verdict::kUnsteady,
                 waits_for_host_text(phase, processes)};
}

// The optional metrics that the record or tonight's first process judges.
std::set<Metric> judged_optional_metrics(const CaseRecord& record, const WorkerReport& report) {
  std::set<Metric> out;
  for (const auto& [metric, described] : record.metrics) {
    if (is_optional(metric.quantity) && described.judged) {
      out.insert(metric);
    }
  }
  for (const auto& [metric, measurement] : report.metrics) {
    if (is_optional(metric.quantity) && measurement.judged && record.metrics.count(metric) == 0) {
      out.insert(metric);
    }
  }
  return out;
}

std::optional<std::string> why_optional_metric_is_not_judged(
    const Baseline& baseline, const CaseRecord& record, Metric metric,
    const std::vector<WorkerReport>& reports, const std::string& device_id) {
  if (record.metrics.count(metric) == 0) {
    return "no host pass is recorded of it";
  }
  const auto made = static_cast<std::size_t>(
      std::count_if(reports.begin(), reports.end(),
                    [metric](const WorkerReport& report) { return has_metric(report, metric); }));
  if (made < reports.size()) {
    return fmt::format(
        "{} of {} processes made no host pass: the host takes less than half of what the device "
        "does, or waits for it",
        reports.size() - made, reports.size());
  }
  const auto setting_of = [metric](const Protocol& protocol) {
    return own_setting_of(protocol, metric.quantity);
  };
  const auto before = setting_of(record.phase(metric.phase).protocol);
  for (const auto& report : reports) {
    if (const auto now = setting_of(report.phase(metric.phase).protocol); now != before) {
      return fmt::format("its host pass was recorded otherwise ({}, now {})",
                         before.value_or("unset"), now.value_or("unset"));
    }
  }
  return references_on(baseline, record.revisions.back(), metric, device_id).empty()
             ? std::optional<std::string>("no host pass is recorded of it on this device")
             : std::nullopt;
}

}  // namespace

std::string waits_for_host_text(Phase phase, const std::string& processes) {
  return prefix_of(phase) + "it can no longer be queued before it runs" + processes +
         ": it synchronises with the host, or launches more than a queue takes";
}

// A worker reports after five runs of a body that is slower than expected
// (measure/measurement_plan.h), so one run takes a fifth of that at least, or never ends.
std::optional<Finding> far_too_slow(const WorkerReport& report, double run_us,
                                    const std::string& when) {
  constexpr double kRuns = 5;
  if (!report.killed_after_s || run_us <= 0) {
    return std::nullopt;
  }
  const double factor = *report.killed_after_s * 1e6 / kRuns / run_us;
  if (factor < 2) {
    return std::nullopt;  // it is as long as that
  }
  return Finding{
      Verdict::kRegressed,
      fmt::format("{}. Its runs took {:.3g} ms {}: it is slower by a factor of {:.0f} at "
                  "least, or hangs",
                  report.message, run_us / 1e3, when, std::floor(factor))};
}

std::map<Metric, std::string> metrics_not_judged(const Baseline& baseline, const CaseRecord& record,
                                                 const std::vector<WorkerReport>& reports,
                                                 const std::string& device_id) {
  std::map<Metric, std::string> out;
  for (const Metric metric : judged_optional_metrics(record, reports.front())) {
    if (const auto why =
            why_optional_metric_is_not_judged(baseline, record, metric, reports, device_id)) {
      out[metric] = *why;
    }
  }
  for (const auto& [metric, measurement] : reports.front().metrics) {
    if (metric.quantity == Quantity::kOwn && record.metrics.count(metric) == 0) {
      out[metric] = "it is not recorded yet: the next refresh does it";
    }
  }
  return out;
}

bool has_metric(const WorkerReport& report, Metric metric) {
  return report.metrics.count(metric) > 0 && (metric.quantity != Quantity::kCycles ||
                                              report.metrics.count(kNetTime.in(metric.phase)) > 0);
}

std::optional<Finding> obstacle_to_judging(const CaseRecord& record,
                                           const std::vector<WorkerReport>& reports) {
  for (const auto& report : reports) {
    for (const auto& [phase, part] : report.phases) {
      if (record.phases.count(phase) == 0) {
        return Finding{Verdict::kNoBaseline,
                       prefix_of(phase) + "recorded without this phase: record it anew"};
      }
    }
  }
  for (const auto& [metric, described] : record.metrics) {
    if (!described.judged) {
      continue;
    }
    for (const auto& report : reports) {
      if (const auto difference = protocol_difference(record.phase(metric.phase).protocol,
                                                      report.phase(metric.phase).protocol)) {
        return Finding{Verdict::kNoBaseline, *difference};
      }
      if (auto gone = missing(metric, record, report)) {
        return gone;
      }
    }
  }
  return std::nullopt;
}

std::optional<Finding> changed_behaviour(const CaseRecord& record,
                                         const std::vector<WorkerReport>& reports) {
  std::optional<Finding> out;
  for (const auto& [phase, part] : record.phases) {
    const auto found = changed_behaviour(phase, part.protocol, reports);
    if (found && (!out || worse(found->verdict, out->verdict) != out->verdict)) {
      out = found;
    }
  }
  return out;
}

}  // namespace perfgate
