#pragma once
// The commands that a run prints: one that shows a failure again, and one that accepts it.

#include <string>

#include "perfgate/gate/outcome.h"
#include "perfgate/report/run.h"

namespace perfgate {

/// The gate that ran, with the folder of baselines where that is not the checked-in one.
std::string program_of(const RunInfo& info);

/// Line by line; none for a case that is no longer declared. `injected`: the failure was made on
/// purpose, and is not to be accepted.
std::string command_lines(const Outcome& outcome, const RunInfo& info, bool injected);

}  // namespace perfgate
