#pragma once
// The table once more, what changed most first: a night prints its lines as its cases are gated.

#include <cstddef>
#include <string>

#include "perfgate/report/run.h"

namespace perfgate {

/// A heading and a line a judged case, the slower ones first; empty where nothing was judged. For
/// so many `columns`; 0: as many as it has.
std::string table_by_change(const Run& run, bool colour, std::size_t columns);

}  // namespace perfgate
