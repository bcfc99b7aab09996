#include "perfgate/baseline/session_value.h"

#include <algorithm>
#include <cmath>

#include "perfgate/stats/descriptive.h"

namespace perfgate {
namespace {

std::vector<double> best_first(const std::vector<double>& figures, Better better) {
  std::vector<double> out;
  for (const double figure : figures) {
    out.push_back(slower_sign(better) * std::log(figure));
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

double slower_sign(Better better) { return better == Better::kLower ? 1.0 : -1.0; }

double session_value(const std::vector<double>& figures, Better better, Statistic statistic) {
  const auto sorted = best_first(figures, better);
  return statistic == Statistic::kMedian ? median(sorted) : sorted.front();
}

double value_variance(const std::vector<double>& figures, Better better, Statistic statistic) {
  if (figures.size() < 2) {
    return 0;
  }
  if (statistic == Statistic::kMedian) {
    return log_deviations(figures).variance() * variance_of_median(figures.size());
  }
  const auto workers = static_cast<double>(figures.size());
  // All leave-one-out values are the best but one, which is the second best.
  const auto sorted = best_first(figures, better);
  return std::pow((workers - 1) / workers * (sorted[1] - sorted[0]), 2);
}

std::optional<ClockResponse> clock_response(const Revision& revision, Metric metric,
                                            const ClockPolicy& policy) {
  if (metric.quantity != Quantity::kCycles) {
    return std::nullopt;
  }
  std::vector<SessionFigures> references;
  for (const auto& id : references_with(revision, metric)) {
    references.push_back(figures_of(revision, id));
  }
  return fit_clock_response(references, metric.phase, policy);
}

std::vector<double> judged_figures(const SessionFigures& session, Metric metric,
                                   const std::optional<ClockResponse>& clock) {
  return metric.quantity == Quantity::kCycles
             ? cycles_at_one_clock(session, metric.phase, clock.value())
             : session.at(metric);
}

ProcessSpread process_spread(const std::vector<double>& figures, Better better,
                             Statistic statistic) {
  const double middle = session_value(figures, better, Statistic::kMedian);
  ProcessSpread out;
  for (const double figure : figures) {
    out.slowest = std::max(out.slowest, slower_sign(better) * std::log(figure) - middle);
  }
  if (statistic == Statistic::kBest) {
    out.typical = middle - session_value(figures, better, Statistic::kBest);
  }
  return out;
}

}  // namespace perfgate
