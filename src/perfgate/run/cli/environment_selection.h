#pragma once
// What selects cases and is in the environment only: a variable that was left exported makes a
// night of one case look like a whole one.

#include <string>

namespace perfgate {

/// "NAME=VALUE ..." of the variables that select cases, a device or a shard and whose flags are not
/// among the arguments; empty where there are none, or where PERFGATE_CALLER says that a script
/// set them.
std::string environment_selection(int argc, const char* const* argv);

}  // namespace perfgate
