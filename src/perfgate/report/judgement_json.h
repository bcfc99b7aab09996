#pragma once
// What the judge said of a metric and of a group of cases, in results files.

#include <nlohmann/json_fwd.hpp>

#include "perfgate/core/json.h"
#include "perfgate/gate/creep.h"
#include "perfgate/gate/global_change.h"
#include "perfgate/gate/judge.h"

namespace perfgate {

nlohmann::json to_json(const Judgement& judgement);
nlohmann::json to_json(const GlobalChange& change);

/// All throw UsageError naming the place of what is missing or of the wrong type.
Metric metric_from_json(const JsonCursor& cursor);
Judgement judgement_from_json(const JsonCursor& cursor);
GlobalChange global_change_from_json(const JsonCursor& cursor);

nlohmann::json to_json(const SeriesCreep& creep);
/// Without its device, which is the run's.
SeriesCreep creep_from_json(const JsonCursor& cursor);

}  // namespace perfgate
