#pragma once
// What a run's cases have become over the nights.

#include <filesystem>
#include <string>

#include "perfgate/gate/judge.h"
#include "perfgate/report/run.h"
#include "perfgate/run/cli/options.h"

namespace perfgate {

/// Whether the run is one of the nights of a history: what --case, --missing or --learning picks, a
/// run that the environment selects and one that is cut short are none.
bool is_a_night(const Run& run, const Selection& selection);

/// Says in `run`, a night that the history at `path` has, which of its cases have become slower.
/// Returns what is to be told of the file, mostly nothing. Throws as for_each_night does.
std::string judge_over_nights(const Judge& judge, const std::filesystem::path& path, Run& run);

}  // namespace perfgate
