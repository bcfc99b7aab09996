#pragma once
// What all cases of a family and class show together, in words, and what else was different.

#include <string>
#include <vector>

#include "perfgate/baseline/baseline.h"
#include "perfgate/gate/global_change.h"
#include "perfgate/report/run.h"

namespace perfgate {

/// What was different from the device's own session `before`: versions and settings, ceilings by
/// more than 0.3 %, and the clock of what was judged. "nothing that perfgate records" where that is
/// so.
std::string what_moved(const SessionRecord& before, const SessionRecord& now,
                       const std::vector<Outcome>& outcomes);

/// "gpt_fast, cuda/memory/long, net time: +1.9 % in the median of 23 cases (MDE 0.7 %, p = 1e-12)".
std::string global_change_text(const GlobalChange& change);

/// A line for each group that is slower or faster together, and one of what moved; empty where none
/// is.
std::string global_lines(const Run& run);

}  // namespace perfgate
