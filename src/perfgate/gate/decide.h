#pragma once
// From worker reports to a case's verdict, measurements or not: pure, like the judge it calls.

#include <string>
#include <vector>

#include "perfgate/gate/judge.h"
#include "perfgate/gate/outcome.h"

namespace perfgate {

/// metric -> one measurement a report.
SessionMeasurements measurements_of(const std::vector<WorkerReport>& reports);

/// Decides one case. `reports`: of one case, at least one, all measured on `device`.
/// The first report that is not kMeasured decides alone: a wrong answer gets no timing verdict.
Outcome decide(const Judge& judge, const std::vector<WorkerReport>& reports,
               const std::string& device_id);

}  // namespace perfgate
