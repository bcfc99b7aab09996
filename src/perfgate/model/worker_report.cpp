#include "perfgate/model/worker_report.h"

#include <algorithm>
#include <utility>

namespace perfgate {

const PhaseReport& WorkerReport::phase(Phase which) const {
  static const PhaseReport nothing;
  const auto found = phases.find(which);
  return found == phases.end() ? nothing : found->second;
}

std::string libtorch_of(const WorkerReport& report) {
  const auto found = report.environment.find("libtorch");
  return found == report.environment.end() ? "unknown" : found->second;
}

std::optional<std::string> triton_of(const WorkerReport& report) {
  const auto found = report.environment.find("triton");
  return found == report.environment.end() ? std::nullopt : std::optional(found->second);
}

std::vector<double> measurements_of(const std::vector<WorkerReport>& reports, Metric metric) {
  std::vector<double> out;
  for (const auto& report : reports) {
    const auto found = report.metrics.find(metric);
    if (report.status == WorkerStatus::kMeasured && found != report.metrics.end()) {
      out.push_back(found->second.value);
    }
  }
  return out;
}

bool is_noisy(const WorkerReport& report) {
  return std::any_of(report.phases.begin(), report.phases.end(),
                     [](const auto& item) { return item.second.noisy; });
}

Protocol without_own_settings(Protocol protocol) {
  protocol.erase(kHostPass);
  return protocol;
}

std::optional<std::string> own_setting_of(const Protocol& protocol, Quantity quantity) {
  const char* name = own_setting(quantity);
  const auto found = name == nullptr ? protocol.end() : protocol.find(name);
  const auto* text = found == protocol.end() ? nullptr : std::get_if<std::string>(&found->second);
  return text == nullptr ? std::nullopt : std::optional(*text);
}

bool is_same_protocol(Protocol a, Protocol b) {
  a.erase(kQueuedWhole);
  b.erase(kQueuedWhole);
  return without_own_settings(std::move(a)) == without_own_settings(std::move(b));
}

std::optional<bool> is_queued_whole(const Protocol& protocol) {
  const auto found = protocol.find(kQueuedWhole);
  const auto* flag = found == protocol.end() ? nullptr : std::get_if<bool>(&found->second);
  return flag == nullptr ? std::nullopt : std::optional(*flag);
}

const std::vector<KernelRecord>& kernels_of(const PhaseReport& phase) {
  static const std::vector<KernelRecord> none;
  const auto* kernels =
      phase.trace ? std::get_if<std::vector<KernelRecord>>(&*phase.trace) : nullptr;
  return kernels == nullptr ? none : *kernels;
}

std::optional<std::string> why_untraced(const PhaseReport& phase) {
  const auto* none = phase.trace ? std::get_if<NoTrace>(&*phase.trace) : nullptr;
  return none == nullptr ? std::nullopt : std::optional(none->why);
}

}  // namespace perfgate
