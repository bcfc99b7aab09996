#pragma once
// Sessions behind the reference ones are not kept one by one, or a year of nights would be a
// hundred megabytes: each is folded into counts, means and sums of squares of its device, which are
// all that the judge needs of it.

#include <map>
#include <optional>
#include <string>

#include "perfgate/baseline/baseline.h"
#include "perfgate/baseline/clock.h"
#include "perfgate/stats/moments.h"

namespace perfgate {

/// Adds the session `id`, measured on `device`, to what later sessions tell of each judged metric
/// that the references have. One of fewer than three processes tells neither how far these lie
/// apart nor how well they know their value.
void fold(const std::string& id, const std::string& device, const SessionMeasurements& session,
          const std::map<Metric, MetricRecord>& metrics, const ClockPolicy& policy,
          Revision& revision);

/// The sessions' values, in logs, larger is slower: of cycles, at this response's clock.
Moments moments_of(const LaterSessions& later, Metric metric,
                   const std::optional<ClockResponse>& clock);

}  // namespace perfgate
