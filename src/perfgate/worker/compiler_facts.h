#pragma once
// What the compiler of a case's package tells: of each of its kernels, and its own version.

#include "perfgate/measure/chrome_trace.h"
#include "perfgate/model/worker_report.h"
#include "perfgate/workloads/case.h"

namespace perfgate {

/// Describes the kernels of the report's traces and of `executions`, and says in the report what
/// their sources are, which Triton compiled them and what the package was tuned to; as far as the
/// package's exporter recorded them. What cannot be read must not cost the measurement: the
/// report's environment says why it is not there, as "no_compiler_facts".
void add_compiler_facts(const Package& package, const PrepareContext& context,
                        Executions& executions, WorkerReport& report);

}  // namespace perfgate
