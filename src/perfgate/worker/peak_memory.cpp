#include "perfgate/worker/peak_memory.h"

#include <algorithm>
#include <cstdint>
#include <string>

namespace perfgate {

std::optional<double> PeakMemory::during(const std::function<void()>& run) {
  if (!backend_.peak_bytes || !backend_.reset_peak_bytes) {
    return std::nullopt;
  }
  before_reset_ = std::max(before_reset_, backend_.peak_bytes());
  backend_.reset_peak_bytes();
  run();
  return backend_.peak_bytes();
}

std::optional<double> PeakMemory::so_far() {
  if (!backend_.peak_bytes) {
    return std::nullopt;
  }
  return std::max(before_reset_, backend_.peak_bytes());
}

Measurement peak_memory_metric(double bytes, const std::string& device_kind) {
  constexpr double kTolerance = 0.01;
  Measurement out = {bytes, true, device_kind + "/peak_memory"};
  out.tolerance = kTolerance;
  return out;
}

void add_allocated(const Case& item, PeakMemory& memory, WorkerReport& report) {
  constexpr double kWorkspaces = 64 << 20;
  const auto text = [](double bytes) {
    return std::to_string(static_cast<std::int64_t>(bytes)) + " bytes";
  };
  const auto peak = memory.so_far();
  if (!peak) {
    return;
  }
  report.environment["memory_peak"] = text(*peak);
  if (item.footprint.count > 0 && *peak > item.footprint.count + kWorkspaces) {
    report.environment["memory_declared"] = text(item.footprint.count);
  }
}

}  // namespace perfgate
