#pragma once
// Whether what a phase gave back is what its reference gives, output by output.

#include "perfgate/model/worker_report.h"
#include "perfgate/workloads/case.h"
#include "perfgate/workloads/prepared.h"

namespace perfgate {

/// Compares `outputs`, of the run that was timed last, with the references, each by its tolerance,
/// and their layout with what the case says. Adds accuracies to `report`, which must have an entry
/// for each output; of a wrong one it becomes kWrong, and its message says which. Throws
/// SystemError where an output has no reference or no tolerance, or a reference is not in float64.
void check_outputs(const Case& item, Phase phase, const PreparedPhase& prepared,
                   const Outputs& outputs, WorkerReport& report);

}  // namespace perfgate
