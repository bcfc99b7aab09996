#pragma once
// The JSON of what worker reports and baselines both say of a measurement. Reading throws
// UsageError that names the place of what is missing, unknown or of the wrong type.

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "perfgate/core/json.h"
#include "perfgate/model/worker_report.h"

namespace perfgate {

nlohmann::json to_json(const Protocol& protocol);
Protocol protocol_from_json(const JsonCursor& cursor);

nlohmann::json to_json(const std::vector<KernelRecord>& kernels);
std::vector<KernelRecord> kernels_from_json(const JsonCursor& cursor);

}  // namespace perfgate
