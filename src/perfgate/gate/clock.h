#pragma once
// Cycles at one clock. What only computes takes as many SM cycles at any clock; what waits for
// memory, whose clock is another, takes as long, and at a lower SM clock fewer cycles. Most bodies
// lie in between, and the clock that an H200 grants under a heavy product differs by 5 % from
// process to process: so how a case's cycles go with the clock is learned with its baseline.

#include <string>
#include <vector>

#include "perfgate/baseline/baseline.h"

namespace perfgate {

/// Whether figures of a metric are compared at one clock.
inline bool goes_with_clock(const std::string& metric) { return metric == kCycles; }

/// The straight line that log cycles follow over log clock. All but exact over the few percent that
/// clocks differ by.
struct ClockResponse {
  double slope = 0;     ///< 0: computes alone; 1: waits for memory alone
  double variance = 0;  ///< of the slope
  double degrees = 0;   ///< of freedom, of that variance
  double log_mhz = 0;   ///< the clock at which cycles are compared
};

/// Mean log of the clock, in MHz, over a session's workers. Both metrics must be there, positive
/// and equally many.
double mean_log_mhz(const SessionFigures& session);

/// From what differs within sessions, for what differs between them may have other reasons. Where
/// clocks hardly differed, the slope is what it is in other cases, and as uncertain. The clock to
/// compare at is the mean of the sessions'. Precondition: at least one session.
ClockResponse fit_clock_response(const std::vector<SessionFigures>& sessions);

/// What each worker's cycles would have been at the response's clock.
std::vector<double> cycles_at_one_clock(const SessionFigures& session,
                                        const ClockResponse& response);

}  // namespace perfgate
