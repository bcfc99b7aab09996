#pragma once
// What a baseline file says of one metric, as the numbers the judge needs. A session's value is
// the median of its workers' figures, or the best of them, in logs, signed so that larger is
// slower.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "perfgate/baseline/baseline.h"
#include "perfgate/gate/clock.h"
#include "perfgate/stats/descriptive.h"

namespace perfgate {

struct UnitAnchor {
  double value = 0;               ///< mean of the unit's anchor sessions
  int sessions = 0;               ///< how many those are
  int all_sessions = 0;           ///< of this unit in the epoch in force
  std::optional<double> log_mhz;  ///< mean clock of the anchor sessions; of cycles
};

struct MetricHistory {
  std::map<std::string, UnitAnchor> units;  ///< of the epoch in force, by unit
  SumOfSquares between_sessions;            ///< within unit and epoch, pooled over all epochs
  SumOfSquares between_units;  ///< within epoch, pooled; a unit counts in its newest epoch alone
  SumOfSquares of_values;      ///< value_variance of every session, a degree each
  std::optional<ClockResponse> clock;  ///< of the anchors in force; of cycles
};

/// +1 when larger figures are slower, -1 when they are faster.
double slower_sign(Better better);

/// Log of what a session's figures make together, larger is slower. Figures must be positive.
double session_value(const std::vector<double>& figures, Better better, Statistic statistic);

/// The variance of session_value as far as the session's own workers can tell, 0 where there is
/// one: of a median, theirs by variance_of_median; of the best, by the jackknife, from how far the
/// second best is.
double value_variance(const std::vector<double>& figures, Better better, Statistic statistic);

/// How cycles go with the clock, by the anchors, so that it is frozen as they are; nothing for
/// other metrics. `epoch` must have an anchor with `metric`.
std::optional<ClockResponse> clock_response(const Epoch& epoch, const std::string& metric,
                                            const ClockPolicy& policy);

/// What of a session's figures is judged: of cycles, what they would have been at the response's
/// clock; of other metrics, they themselves. `session` must have `metric`.
std::vector<double> judged_figures(const SessionFigures& session, const std::string& metric,
                                   const std::optional<ClockResponse>& clock);

/// A metric may be younger than its case: sessions without it tell nothing. Precondition: `metric`
/// is a judged metric of `record`, and the file passed the strict reader.
MetricHistory history_of(const Baseline& baseline, const CaseRecord& record,
                         const std::string& metric, const ClockPolicy& clock);

}  // namespace perfgate
