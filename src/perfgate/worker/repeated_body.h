#pragma once
// A case's body alone, for a profiler to look at: nothing is measured, flushed or checked.

#include <filesystem>
#include <vector>

#include "perfgate/backends/backend.h"
#include "perfgate/process/worker_interface.h"
#include "perfgate/workloads/case.h"

namespace perfgate {

struct RepeatedPhase {
  Phase phase;
  Seconds a_run;  ///< of the clock on the wall, waiting for the device included
};

/// Runs each phase of the case `times` times, prepared as a worker does it and warmed by a few
/// runs, with the backend's profiler on during the body and nothing else. Throws Unsupported where
/// the case cannot run here.
std::vector<RepeatedPhase> repeat_body(const Case& item, const Backend& backend,
                                       const Tuning& tuning, const Packages& packages, int times);

}  // namespace perfgate
