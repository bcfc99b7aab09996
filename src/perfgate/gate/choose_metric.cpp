#include "perfgate/gate/choose_metric.h"

#include <cmath>
#include <string>
#include <vector>

#include "perfgate/baseline/clock.h"
#include "perfgate/stats/descriptive.h"

namespace perfgate {
namespace {

double spread_of(const std::vector<double>& measurements) {
  return std::sqrt(log_deviations(measurements).variance());
}

// Where a body cannot be queued whole, net time is what the host takes as much as what the GPU
// does.
bool waits_for_the_host(const CaseSession& session, Phase phase) {
  const auto found = session.phases.find(phase);
  return found != session.phases.end() && is_queued_whole(found->second.protocol) == false;
}

bool host_time_is_judged(const CaseSession& session, Phase phase) {
  const auto host = session.metrics.find(kRelativeHostTime.in(phase));
  return host != session.metrics.end() && host->second.description.judged;
}

// What net time has beside busy time is what launching costs, which is the host's and the
// process's.
std::string launch_class(const std::string& variance_class) {
  return variance_class.substr(0, variance_class.find('/')) + "/launch";
}

// What net time spreads by beside the clock, where that is known: a clock is no gap.
double spread_without_clock(const CaseSession& session, Phase phase, const ClockPolicy& clock) {
  const auto& time = session.metrics.at(kNetTime.in(phase)).measurements;
  const auto cycles = session.metrics.find(kCycles.in(phase));
  if (cycles == session.metrics.end()) {
    return spread_of(time);
  }
  const SessionMeasurements measurements = {{cycles->first, cycles->second.measurements},
                                            {kNetTime.in(phase), time}};
  return spread_of(
      cycles_at_one_clock(measurements, phase, fit_clock_response({measurements}, phase, clock)));
}

bool gaps_vary(const CaseSession& session, Phase phase, const std::vector<double>& busy,
               const Policy& policy) {
  const double net = spread_without_clock(session, phase, policy.clock);
  return net >= policy.busy_least_spread && net >= policy.busy_spread_ratio * spread_of(busy);
}

void choose_for(Phase phase, CaseSession& session, const Policy& policy) {
  const auto busy = session.metrics.find(kBusyTime.in(phase));
  if (busy == session.metrics.end() || !needs_busy_time(session, phase, policy)) {
    return;
  }
  const bool waits = waits_for_the_host(session, phase);
  const bool asked_for = busy->second.description.judged;
  if (!waits && !asked_for && !gaps_vary(session, phase, busy->second.measurements, policy)) {
    return;
  }
  busy->second.description.judged = true;
  if (const auto cycles = session.metrics.find(kCycles.in(phase));
      cycles != session.metrics.end()) {
    cycles->second.description.judged = false;  // of the gaps, too
  }
  MetricRecord& net = session.metrics.at(kNetTime.in(phase)).description;
  if (waits && host_time_is_judged(session, phase)) {
    net.judged = false;  // host time says the same
    return;
  }
  net.statistic = Statistic::kBest;
  net.tolerance = policy.net_tolerance;
  net.variance_class = launch_class(net.variance_class);
}

}  // namespace

bool needs_busy_time(const CaseSession& session, Phase phase, const Policy& policy) {
  const auto net = session.metrics.find(kNetTime.in(phase));
  return net != session.metrics.end() && net->second.description.judged &&
         (waits_for_the_host(session, phase) || host_time_is_judged(session, phase) ||
          spread_without_clock(session, phase, policy.clock) >= policy.busy_least_spread);
}

void choose_judged_metrics(CaseSession& session, const Policy& policy) {
  for (const auto& [phase, part] : session.phases) {
    choose_for(phase, session, policy);
  }
}

}  // namespace perfgate
