#include "perfgate/baseline/session_value.h"

#include <algorithm>
#include <cmath>

#include "perfgate/stats/descriptive.h"

namespace perfgate {
namespace {

std::vector<double> best_first(const std::vector<double>& measurements, Better better) {
  std::vector<double> out;
  for (const double value : measurements) {
    out.push_back(slower_sign(better) * std::log(value));
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

double slower_sign(Better better) { return better == Better::kLower ? 1.0 : -1.0; }

double session_value(const std::vector<double>& measurements, Better better, Statistic statistic) {
  const auto sorted = best_first(measurements, better);
  return statistic == Statistic::kMedian ? median(sorted) : sorted.front();
}

double value_variance(const std::vector<double>& measurements, Better better, Statistic statistic) {
  if (measurements.size() < 2) {
    return 0;
  }
  if (statistic == Statistic::kMedian) {
    return log_deviations(measurements).variance() * variance_of_median(measurements.size());
  }
  const auto workers = static_cast<double>(measurements.size());
  // All leave-one-out values are the best but one, which is the second best.
  const auto sorted = best_first(measurements, better);
  return std::pow((workers - 1) / workers * (sorted[1] - sorted[0]), 2);
}

std::optional<ClockResponse> clock_response(const Revision& revision, Metric metric,
                                            const ClockPolicy& policy) {
  if (metric.quantity != Quantity::kCycles) {
    return std::nullopt;
  }
  std::vector<SessionMeasurements> references;
  for (const auto& id : references_with(revision, metric)) {
    references.push_back(measurements_of(revision, id));
  }
  return fit_clock_response(references, metric.phase, policy);
}

std::vector<double> judged_measurements(const SessionMeasurements& session, Metric metric,
                                        const std::optional<ClockResponse>& clock) {
  return metric.quantity == Quantity::kCycles
             ? cycles_at_one_clock(session, metric.phase, clock.value())
             : session.at(metric);
}

ProcessSpread process_spread(const std::vector<double>& measurements, Better better,
                             Statistic statistic) {
  const double middle = session_value(measurements, better, Statistic::kMedian);
  ProcessSpread out;
  for (const double value : measurements) {
    out.slowest = std::max(out.slowest, slower_sign(better) * std::log(value) - middle);
  }
  if (statistic == Statistic::kBest) {
    out.typical = middle - session_value(measurements, better, Statistic::kBest);
  }
  return out;
}

}  // namespace perfgate
