#pragma once
// What a night's page shows, as JSON: numbers for its plots, and the texts that a terminal would
// have shown.

#include <nlohmann/json_fwd.hpp>

#include "perfgate/report/export.h"

namespace perfgate {

/// See report/page/*.js, which read it.
nlohmann::json page_data(const ExportInput& input);

}  // namespace perfgate
