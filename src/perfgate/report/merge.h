#pragma once
// One night from several results files: each family's newest run, or each shard's.

#include <vector>

#include "perfgate/report/run.h"

namespace perfgate {

/// All outcomes in the order of the runs, each case once: a case measured twice counts as in the
/// run that started last. Times add up, any partial run makes the night partial,
/// and a partial night has failed.
/// Throws std::invalid_argument when `runs` is empty.
Run merged(std::vector<Run> runs, bool baseline_required);

}  // namespace perfgate
