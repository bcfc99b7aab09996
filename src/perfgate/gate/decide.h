#pragma once
// From worker reports to a case's verdict, figures or not: pure, like the judge it calls.

#include <map>
#include <string>
#include <vector>

#include "perfgate/gate/judge.h"
#include "perfgate/gate/outcome.h"

namespace perfgate {

/// Decides one case. `reports`: of one case, at least one, all measured on `unit`.
/// The first report that is not kMeasured decides alone: a wrong answer gets no timing verdict.
Outcome decide(const JudgeContext& context, const std::vector<WorkerReport>& reports,
               const std::string& unit);

/// Why these ceilings are not the machine that the baseline was recorded on, or an empty string:
/// one further than `tolerance` (relative) from the median of the recorded sessions.
std::string machine_objection(const Baseline& baseline, double tolerance,
                              const std::map<std::string, double>& ceilings);

}  // namespace perfgate
