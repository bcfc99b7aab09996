#pragma once
// All cases of a run together, against the sessions of the device that they ran on.

#include "perfgate/gate/learned_baseline.h"
#include "perfgate/report/run.h"

namespace perfgate {

/// Says in `run` what its groups of cases show together and, where one changed, what else is
/// different from the device's newest recorded session. `tonight`: the device's ceilings, as
/// measured.
void judge_globally(const LearnedBaseline& learned, const CeilingRates& tonight, Run& run);

}  // namespace perfgate
