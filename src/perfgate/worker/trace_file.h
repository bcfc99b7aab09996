#pragma once
// The Chrome trace of a case, as a file. One that cannot be written must not cost the measurement:
// the report says why, and the parent fails for it behind its results.

#include <string>

#include "perfgate/measure/chrome_trace.h"
#include "perfgate/model/worker_report.h"

namespace perfgate {

/// Writes what the report's case ran to the file and creates its folders; where that fails, sets
/// kNoChromeTrace in the report's environment. Writes nothing where no phase ran anything.
void write_trace_file(const std::string& file, const Executions& executions, WorkerReport& report);

}  // namespace perfgate
