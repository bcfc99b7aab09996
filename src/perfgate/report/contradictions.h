#pragma once
// A results file that contradicts itself: edited by hand, or damaged. A regression that is renamed
// PASS would end a night in 0 otherwise.

#include <optional>
#include <string>

#include "perfgate/report/run.h"

namespace perfgate {

/// What of the run cannot be true together, as a sentence; nothing where all of it can.
std::optional<std::string> contradiction_in(const Run& run);

}  // namespace perfgate
