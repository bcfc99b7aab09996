#pragma once
// All cases of a run together, against the sessions of the device that they ran on.

#include <functional>
#include <optional>
#include <string>

#include "perfgate/gate/judge.h"
#include "perfgate/report/run.h"

namespace perfgate {

/// Says in `run` what its groups of cases show together and, where one changed, what else is
/// different from the device's newest recorded session. `tonight`: the device's ceilings, as
/// measured. `why_unfit` is asked where a group changed: on a device that others use, or that is
/// not as it was recorded, nothing is said of it but that (MACHINE_INVALID). A shard of several
/// takes its part of a group's share of the false-alarm budget.
void judge_globally(const Judge& judge, const CeilingRates& tonight,
                    const std::function<std::optional<std::string>()>& why_unfit, Run& run);

}  // namespace perfgate
