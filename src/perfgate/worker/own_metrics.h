#pragma once
// What a case measures itself, beside its time.

#include <string>

#include "perfgate/model/worker_report.h"
#include "perfgate/workloads/case.h"
#include "perfgate/workloads/prepared.h"

namespace perfgate {

/// Asks the prepared phase for the values of the metrics that `work` declares, and adds them to the
/// report, judged. Throws SystemError where it gives others than these, or one that is not above 0.
void add_own_metrics(Phase phase, const Work& work, const PreparedPhase& prepared,
                     const std::string& device_kind, WorkerReport& report);

}  // namespace perfgate
