#pragma once
// device.json of a baseline: the device model, and every session that its cases name.

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "perfgate/baseline/baseline.h"
#include "perfgate/core/json.h"

namespace perfgate {

nlohmann::json device_to_json(const Baseline& baseline);

/// A baseline without cases. Throws UsageError naming file, JSON pointer and reason.
Baseline device_from_json(const JsonCursor& cursor);

/// That the file is of the schema that this perfgate reads; throws UsageError otherwise.
void require_schema_version(const JsonCursor& cursor);

}  // namespace perfgate
