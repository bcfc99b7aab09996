#pragma once
// One night from the results files of its families, shards and devices.

#include <vector>

#include "perfgate/report/exit_code.h"
#include "perfgate/report/run.h"

namespace perfgate {

/// The runs of each device model as one, models in the order in which their runs started. A case
/// that was measured several times on one device counts by its worst outcome, whose message names
/// all of them; cases of another device or model are others. Times add up. Any partial run makes
/// its night partial, which has not passed; so has a night of which a run itself did not.
/// Throws UsageError, naming the files, where runs are no one night: of several commits, of several
/// LibTorch versions on one model, or more than 16 hours apart; std::invalid_argument when `runs`
/// is empty.
std::vector<Run> merged(std::vector<Run> runs, const ExitRules& rules);

/// All of them as one, for formats that hold one night: the outcomes of every model, the last one's
/// device. Precondition: not empty.
Run as_one(const std::vector<Run>& nights);

}  // namespace perfgate
