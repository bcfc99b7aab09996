#include "perfgate/gate/choose_metric.h"

#include <cmath>
#include <string>
#include <vector>

#include "perfgate/gate/clock.h"
#include "perfgate/stats/descriptive.h"

namespace perfgate {
namespace {

double spread_of(const std::vector<double>& figures) {
  return std::sqrt(log_deviations(figures).variance());
}

// Measured without the hold, net time is what the host takes as much as what the GPU does.
bool waits_for_the_host(const MeasuredMetric& net) {
  const auto held = net.description.protocol.find("held");
  return held != net.description.protocol.end() && held->second == ProtocolSetting(false);
}

// What net time has beside busy time is what launching costs, which is the host's and the
// process's.
std::string launch_class(const std::string& variance_class) {
  return variance_class.substr(0, variance_class.find('/')) + "/launch";
}

// What net time spreads by beside the clock, where that is known: a clock is no gap.
double spread_without_clock(const std::map<std::string, MeasuredMetric>& metrics,
                            const ClockPolicy& clock) {
  const auto& time = metrics.at(kNetTime).figures;
  const auto cycles = metrics.find(kCycles);
  if (cycles == metrics.end()) {
    return spread_of(time);
  }
  const SessionFigures session = {{kCycles, cycles->second.figures}, {kNetTime, time}};
  return spread_of(cycles_at_one_clock(session, fit_clock_response({session}, clock)));
}

}  // namespace

bool needs_busy_time(const std::map<std::string, MeasuredMetric>& metrics, const Policy& policy) {
  const auto net = metrics.find(kNetTime);
  return net != metrics.end() && net->second.description.judged &&
         (waits_for_the_host(net->second) ||
          spread_without_clock(metrics, policy.clock) >= policy.busy_least_spread);
}

void choose_judged_metric(std::map<std::string, MeasuredMetric>& metrics, const Policy& policy) {
  const auto busy = metrics.find("busy_time");
  if (busy == metrics.end() || !needs_busy_time(metrics, policy)) {
    return;
  }
  const auto net = metrics.find(kNetTime);
  if (!waits_for_the_host(net->second) &&
      spread_without_clock(metrics, policy.clock) <
          policy.busy_spread_ratio * spread_of(busy->second.figures)) {
    return;
  }
  busy->second.description.judged = true;
  if (const auto cycles = metrics.find(kCycles); cycles != metrics.end()) {
    cycles->second.description.judged = false;  // of the gaps, too
  }
  net->second.description.statistic = Statistic::kBest;
  net->second.description.tolerance = policy.net_tolerance;
  net->second.description.variance_class = launch_class(net->second.description.variance_class);
}

}  // namespace perfgate
