#pragma once
// Which series have become slower over the nights, in words.

#include <string>

#include "perfgate/gate/creep.h"
#include "perfgate/report/run.h"

namespace perfgate {

/// "gpt_fast/gemv/bf16, net_time: +1.9 % slower than its reference, over 12 nights since 2026-11-15
/// (found on 2026-11-20)"
std::string creep_text(const SeriesCreep& creep);

/// What was there on the night before it (where it is the first, on that) and what is there now:
/// "LibTorch 2.11.0 -> 2.12.0; driver ...". "nothing that the history has" where that is alike.
std::string creep_changes(const SeriesCreep& creep);

/// Two lines for each series; empty where none is slower.
std::string creep_lines(const Run& run);

}  // namespace perfgate
