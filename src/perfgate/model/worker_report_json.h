#pragma once
// The wire format of WorkerReport: worker to parent over the pipe, and into the results file.

#include <nlohmann/json_fwd.hpp>

#include "perfgate/core/json.h"
#include "perfgate/model/worker_report.h"

namespace perfgate {

nlohmann::json to_json(const WorkerReport& report);
/// Throws UsageError naming the place of what is missing, unknown or of the wrong type.
WorkerReport worker_report_from_json(const JsonCursor& cursor);

}  // namespace perfgate
