#pragma once
// The results file: every sample, the environment and the verdicts of one run, as described by
// results.schema.json beside this file. --merge reads back what was written here.

#include <nlohmann/json_fwd.hpp>

#include "perfgate/core/json.h"
#include "perfgate/report/run.h"

namespace perfgate {

nlohmann::json to_json(const Run& run);

/// Throws where a results file with this outcome could not be written, or not be read again: of one
/// case that is known while it costs this case alone, of a whole run when everything is lost.
void require_readable(const Outcome& outcome);

/// Throws UsageError naming file, JSON pointer and reason.
Run run_from_json(const JsonCursor& cursor);

}  // namespace perfgate
