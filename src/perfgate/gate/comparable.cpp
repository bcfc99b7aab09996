#include "perfgate/gate/comparable.h"

#include <fmt/format.h>

#include <algorithm>

#include "perfgate/model/measurement_json.h"

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

// The first setting of perfgate's own that differs, or empty.
std::string protocol_difference(const Protocol& before, const Protocol& now) {
  Protocol names = before;
  names.insert(now.begin(), now.end());
  names.erase(kHeld);
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

std::optional<bool> held(const Protocol& protocol) {
  const auto found = protocol.find(kHeld);
  if (found == protocol.end() || !std::holds_alternative<bool>(found->second)) {
    return std::nullopt;
  }
  return std::get<bool>(found->second);
}

std::optional<Finding> missing(const std::string& name, const MetricRecord& metric,
                               const WorkerReport& report) {
  if (has_metric(report, name)) {
    return std::nullopt;
  }
  if (const auto trace = report.environment.find("kernel_trace");
      trace != report.environment.end()) {  // never judged another way instead
    return Finding{Verdict::kMachineInvalid,
                   "judged by " + name + ", which needs a kernel trace: " + trace->second};
  }
  if (name == kCycles && held(metric.protocol) != held(report.protocol)) {
    return std::nullopt;  // only measured of what can be held: see changed_behaviour
  }
  return Finding{Verdict::kLost, "the judged metric \"" + name + "\" is no longer measured"};
}

// A baseline that says "higher is better" of a time would call every slowdown an improvement.
std::optional<Finding> mistaken(const std::string& name, const MetricRecord& metric,
                                const WorkerReport& report) {
  const auto found = report.metrics.find(name);
  if (found == report.metrics.end() ||
      (found->second.unit == metric.unit && found->second.better == metric.better)) {
    return std::nullopt;
  }
  return Finding{Verdict::kError,
                 fmt::format("the baseline says that {} is in {} and {} is better, the case "
                             "measures it in {}, and {} is better: correct the baseline, or remove "
                             "the case from it and record it anew",
                             name, metric.unit, to_string(metric.better), found->second.unit,
                             to_string(found->second.better))};
}

}  // namespace

bool has_metric(const WorkerReport& report, const std::string& metric) {
  return report.metrics.count(metric) > 0 &&
         (metric != kCycles || report.metrics.count(kNetTime) > 0);
}

std::optional<Finding> obstacle_to_judging(const CaseRecord& record,
                                           const std::vector<WorkerReport>& reports) {
  for (const auto& [name, metric] : record.metrics) {
    if (!metric.judged) {
      continue;
    }
    for (const auto& report : reports) {
      if (auto mistake = mistaken(name, metric, report)) {
        return mistake;
      }
      if (const auto difference = protocol_difference(metric.protocol, report.protocol);
          !difference.empty()) {
        return Finding{Verdict::kNoBaseline, difference};
      }
      if (auto gone = missing(name, metric, report)) {
        return gone;
      }
    }
  }
  return std::nullopt;
}

std::optional<Finding> changed_behaviour(const CaseRecord& record,
                                         const std::vector<WorkerReport>& reports) {
  const auto judged = std::find_if(record.metrics.begin(), record.metrics.end(),
                                   [](const auto& item) { return item.second.judged; });
  const auto before = judged == record.metrics.end() ? std::nullopt : held(judged->second.protocol);
  const auto changed = static_cast<std::size_t>(std::count_if(
      reports.begin(), reports.end(),
      [&](const WorkerReport& report) { return before && held(report.protocol) != before; }));
  if (changed == 0) {
    return std::nullopt;
  }
  const std::string processes =
      changed == reports.size() ? ""
                                : fmt::format(" in {} of {} processes", changed, reports.size());
  if (!*before) {
    return Finding{2 * changed > reports.size() ? Verdict::kImproved : Verdict::kPass,
                   "it can be queued before it runs" + processes +
                       ", where it waited for the host when it was recorded"};
  }
  return Finding{2 * changed > reports.size() ? Verdict::kRegressed : Verdict::kUnsteady,
                 "it can no longer be queued before it runs" + processes +
                     ": it synchronises with the host, or launches more than a queue takes"};
}

}  // namespace perfgate
