#include "perfgate/baseline/folding.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "perfgate/baseline/session_value.h"
#include "perfgate/stats/descriptive.h"

namespace perfgate {
namespace {

constexpr std::size_t kFewestProcesses = 3;

// By how much cycles as measured are more than at the response's clock, in logs; nothing of other
// metrics. What is kept is as measured: a new device's references move the clock that is compared
// at.
double beyond_one_clock(double log_mhz, const std::optional<ClockResponse>& clock) {
  return clock ? clock->slope * (log_mhz - clock->log_mhz) : 0;
}

}  // namespace

Moments moments_of(const LaterSessions& later, Metric metric,
                   const std::optional<ClockResponse>& clock) {
  const double as_measured = slower_sign(better_of(metric)) * std::log(later.mean);
  return {static_cast<double>(later.count),
          as_measured - beyond_one_clock(std::log(later.mhz.value_or(1)), clock), later.squares};
}

void fold(const std::string& id, const std::string& device, const SessionMeasurements& session,
          const std::map<Metric, MetricRecord>& metrics, const ClockPolicy& policy,
          Revision& revision) {
  LaterOnDevice& on_device = revision.later[device];
  on_device.last = id;
  for (const auto& [metric, measurements] : session) {
    const auto described = metrics.find(metric);
    if (described == metrics.end() || !described->second.judged ||
        references_with(revision, metric).empty()) {
      continue;
    }
    const auto clock = clock_response(revision, metric, policy);
    const auto judged = judged_measurements(session, metric, clock);
    const Better better = better_of(metric);
    const Statistic statistic = described->second.statistic;

    LaterSessions& later = on_device.metrics[metric];
    Moments moments = later.count == 0 ? Moments{} : moments_of(later, metric, clock);
    moments += {1, session_value(judged, better, statistic), 0};
    double log_mhz = 0;
    if (clock) {
      Moments clocks{static_cast<double>(later.count), std::log(later.mhz.value_or(1)), 0};
      clocks += {1, mean_log(clocks_mhz(session, metric.phase)), 0};
      log_mhz = clocks.mean;
      later.mhz = std::exp(log_mhz);
    }
    ++later.count;
    later.mean = std::exp(slower_sign(better) * (moments.mean + beyond_one_clock(log_mhz, clock)));
    later.squares = moments.squares;
    if (measurements.size() < kFewestProcesses) {
      continue;
    }
    ++later.several;
    later.within += value_variance(judged, better, statistic);
    const ProcessSpread spread = process_spread(judged, better, statistic);
    later.largest.slowest = std::max(later.largest.slowest, spread.slowest);
    later.largest.typical = std::max(later.largest.typical, spread.typical);
  }
}

}  // namespace perfgate
