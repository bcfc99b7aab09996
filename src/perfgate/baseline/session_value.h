#pragma once
// What a session's processes make together: the value that is judged, how well they know it, and
// how far they lie apart.

#include <optional>
#include <string>
#include <vector>

#include "perfgate/baseline/baseline.h"
#include "perfgate/baseline/clock.h"

namespace perfgate {

/// +1 when larger measurements are slower, -1 when they are faster.
double slower_sign(Better better);

/// Log of what a session's measurements make together, larger is slower: their median, or the best
/// of them. Measurements must be positive.
double session_value(const std::vector<double>& measurements, Better better, Statistic statistic);

/// The variance of session_value as far as the session's own workers can tell, 0 where there is
/// one: of a median, theirs by variance_of_median; of the best, by the jackknife, from how far the
/// second best is.
double value_variance(const std::vector<double>& measurements, Better better, Statistic statistic);

/// `measurements`: one a process, positive, at least one.
ProcessSpread process_spread(const std::vector<double>& measurements, Better better,
                             Statistic statistic);

/// How cycles go with the clock, by the references, so that it is frozen as they are; nothing for
/// other metrics. `revision` must have a reference with `metric`.
std::optional<ClockResponse> clock_response(const Revision& revision, Metric metric,
                                            const ClockPolicy& policy);

/// What of a session's measurements is judged: of cycles, what they would have been at the
/// response's clock; of other metrics, they themselves. `session` must have `metric`.
std::vector<double> judged_measurements(const SessionMeasurements& session, Metric metric,
                                        const std::optional<ClockResponse>& clock);

}  // namespace perfgate
