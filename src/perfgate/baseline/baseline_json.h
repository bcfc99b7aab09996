#pragma once
// Baseline <-> JSON, strictly: what this reader accepts is what baselines/schema.json describes
// and, beyond any schema, what is consistent (every session named is there).

#include <nlohmann/json_fwd.hpp>

#include "perfgate/baseline/baseline.h"
#include "perfgate/core/json.h"

namespace perfgate {

nlohmann::json to_json(const Baseline& baseline);

/// Throws UsageError naming file, JSON pointer and reason.
Baseline baseline_from_json(const JsonCursor& cursor);

/// One figure a worker, at least one, each of a size that something measured can have. Throws
/// UsageError naming file, JSON pointer and reason.
std::vector<double> figures_from_json(const JsonCursor& cursor);

}  // namespace perfgate
