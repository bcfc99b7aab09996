#pragma once
// One case of a baseline <-> JSON, all but its kernels, which have a file of their own. Strictly:
// what this reader accepts is what cases.schema.json describes and, beyond any schema, what is
// consistent and can be.

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "perfgate/baseline/baseline.h"
#include "perfgate/core/json.h"

namespace perfgate {

nlohmann::json case_to_json(const CaseRecord& record);

/// `baseline`: whose sessions the case names. Throws UsageError naming file, JSON pointer and
/// reason.
CaseRecord case_from_json(const JsonCursor& cursor, const Baseline& baseline);

/// One measurement a worker, at least one, each of a size that something measured can have. Throws
/// UsageError naming file, JSON pointer and reason.
std::vector<double> measurements_from_json(const JsonCursor& cursor);

/// The metric that this member of a JSON object is named after. Throws as above.
Metric metric_from_json(const JsonCursor& cursor, const std::string& name);

}  // namespace perfgate
