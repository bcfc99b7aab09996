#pragma once
// The commands that a failure prints: one that shows it again, and one that accepts it.

#include <string>

#include "perfgate/gate/outcome.h"
#include "perfgate/report/run.h"

namespace perfgate {

/// Line by line; none for a case that is no longer declared. `injected`: the failure was made on
/// purpose, and is not to be accepted.
std::string command_lines(const Outcome& outcome, const RunInfo& info, bool injected);

}  // namespace perfgate
