#pragma once
// How much memory of the device LibTorch's allocator has handed out at most: since the worker
// began, and in one run of a phase.

#include <functional>
#include <optional>
#include <string>

#include "perfgate/backends/backend.h"
#include "perfgate/model/worker_report.h"
#include "perfgate/workloads/case.h"

namespace perfgate {

class PeakMemory {
 public:
  /// `backend` is kept.
  explicit PeakMemory(const Backend& backend) : backend_(backend) {}

  /// Bytes at most while `run` runs, with what was there before; nothing where LibTorch does not
  /// count them.
  std::optional<double> during(const std::function<void()>& run);
  /// Bytes at most since the worker began.
  std::optional<double> so_far();

 private:
  const Backend& backend_;
  double before_reset_ = 0;
};

/// As a metric that is judged: the allocator counts the same in every run, so 1 % more is a change.
Measurement peak_memory_metric(double bytes, const std::string& device_kind);

/// Says in the report how much was allocated, and what the case declares where that is less by more
/// than the libraries' own workspaces. Before the reference is made, which may need more.
void add_allocated(const Case& item, PeakMemory& memory, WorkerReport& report);

}  // namespace perfgate
