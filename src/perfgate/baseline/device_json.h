#pragma once
// device.json of a baseline: the device model, and every session that its cases name.

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>

#include "perfgate/baseline/baseline.h"
#include "perfgate/core/json.h"

namespace perfgate {

nlohmann::json device_to_json(const Baseline& baseline);

/// Those of its cases. device.json names them, so that a file of cases that is lost is missed.
std::set<std::string> families_of(const Baseline& baseline);
std::set<std::string> families_from_json(const JsonCursor& cursor);

/// A baseline without cases. Throws UsageError naming file, JSON pointer and reason.
Baseline device_from_json(const JsonCursor& cursor);

/// That the file is of the schema that this perfgate reads; throws UsageError otherwise.
void require_schema_version(const JsonCursor& cursor);

}  // namespace perfgate
