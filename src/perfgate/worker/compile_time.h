#pragma once
// The processor's time that compiling the package of a case took, as a phase of the case. It was
// compiled before this run, by the exporter, so that each of the case's processes says the same.

#include <string>

#include "perfgate/model/worker_report.h"
#include "perfgate/workloads/case.h"

namespace perfgate {

/// Adds the phase, judged coarsely: a compiler shares caches and cores with what else runs. Throws
/// Unsupported where the package's note does not say.
void add_compile_time(const Package& package, const PrepareContext& context,
                      const std::string& device_kind, WorkerReport& report);

}  // namespace perfgate
