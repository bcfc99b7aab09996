#pragma once
// What a run's cases have become over the nights.

#include <filesystem>
#include <string>

#include "perfgate/core/files.h"
#include "perfgate/gate/judge.h"
#include "perfgate/report/run.h"
#include "perfgate/run/cli/options.h"

namespace perfgate {

/// Whether the run is one of the nights of a history: what --case, --missing or --learning picks, a
/// run that the environment selects, one that is cut short and one with injected work are none.
/// Those that pick a case mostly do so since it looked odd the night before: such nights added
/// would be a biased sample.
bool is_a_night(const Run& run, const Selection& selection, double inject_slowdown);

/// Adds the run, which is a night, to the history at `path`, and says in `run` which of its cases
/// have become slower. Returns what is to be told of the file: that a torn line was cut off; mostly
/// nothing. Throws as append_nights and for_each_night do.
std::string judge_over_nights(const Judge& judge, const std::filesystem::path& path,
                              FileCalls& files, Run& run);

}  // namespace perfgate
