#pragma once
// Cycles at one clock. What only computes takes as many SM cycles at any clock; what waits for
// memory, whose clock is another, takes as long, and at a lower SM clock fewer cycles. The clock
// that an H200 grants under a heavy product differs by up to 10 % from process to process: so how a
// case's cycles go with the clock is learned with its baseline.

#include <string>
#include <vector>

#include "perfgate/baseline/baseline.h"
#include "perfgate/stats/moderation.h"

namespace perfgate {

/// How cycles go with the clock, before a case's own sessions are looked at.
struct ClockPolicy {
  double slope = 0;      ///< of log cycles over log clock
  double slope_sd = 0;   ///< between cases
  double jitter = 0;     ///< relative; standard deviation of a clock that tells nothing
  VariancePrior worker;  ///< of one worker's log cycles at one clock
  std::string source;
};

/// The straight line that log cycles follow over log clock. All but exact over the few percent that
/// clocks differ by.
struct ClockResponse {
  double slope = 0;     ///< 0: computes alone; 1: waits for memory alone
  double variance = 0;  ///< of the slope
  double degrees = 0;   ///< of freedom, of that variance
  double log_mhz = 0;   ///< the clock at which cycles are compared
};

/// The clocks of a session's workers under this phase, in MHz: cycles over net time. It must have
/// as many of both, all positive.
std::vector<double> clocks_mhz(const SessionMeasurements& session, Phase phase);

/// Bayesian linear regression within sessions, for what differs between them may have other
/// reasons: the slope is shrunk toward the usual one by as much as the clocks that were seen leave
/// it open. Clocks have to differ by more than jitter to tell anything: a body that stalls longer
/// draws less and gets a higher clock, so that jitter is an effect of the cycles and not their
/// cause. The clock to compare at is the mean over the sessions. Precondition: at least one.
ClockResponse fit_clock_response(const std::vector<SessionMeasurements>& sessions, Phase phase,
                                 const ClockPolicy& policy);

/// What each worker's cycles would have been at the response's clock.
std::vector<double> cycles_at_one_clock(const SessionMeasurements& session, Phase phase,
                                        const ClockResponse& response);

}  // namespace perfgate
