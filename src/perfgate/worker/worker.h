#pragma once
// The worker: one case in a fresh process, from random inputs to a report. `--worker=KEY` under a
// debugger or profiler is the whole of a case.

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "perfgate/backends/backend.h"
#include "perfgate/model/worker_report.h"
#include "perfgate/process/worker_interface.h"
#include "perfgate/workloads/case.h"

namespace perfgate {

/// How a worker takes turns with others on its device.
struct Turn {
  /// Returns once nobody else computes there. Called once.
  std::function<void()> wait = [] {};
  /// Lets the next one open the device and prepare: this one measures no more.
  std::function<void()> end = [] {};
};

/// Measures the case that `request` names, then checks the output that was timed. Checking comes
/// last so that a worker that checks and one that does not have measured in the same state. Never
/// throws for what a case does: refusals, wrong numbers and exceptions are statuses of the report.
/// It waits for its `turn` before it measures, and before it prepares what others would disturb.
/// Its turn ends before it checks; with the report where there is nothing to check.
WorkerReport run_worker(const Case& item, const Backend& backend, const WorkerRequest& request,
                        const Packages& packages = {}, const Turn& turn = {});

/// The ceilings alone: the sampler's own, and those that a suite of `cases` needs
/// (ceilings::named_by).
WorkerReport run_machine_worker(const std::vector<Case>& cases, const Backend& backend);

}  // namespace perfgate
