#include "perfgate/gate/history.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace perfgate {
namespace {

bool is_anchor(const Epoch& epoch, const std::string& session) {
  return std::find(epoch.anchor.begin(), epoch.anchor.end(), session) != epoch.anchor.end();
}

std::vector<double> best_first(const std::vector<double>& figures, Better better) {
  std::vector<double> out;
  for (const double figure : figures) {
    out.push_back(slower_sign(better) * std::log(figure));
  }
  std::sort(out.begin(), out.end());
  return out;
}

// What a unit's sessions of one epoch make, each of them.
struct UnitValues {
  std::vector<double> all;
  std::vector<double> anchors;
  std::vector<double> anchors_log_mhz;  // of cycles
};

struct EpochValues {
  std::map<std::string, UnitValues> units;
  SumOfSquares of_values;
  std::optional<ClockResponse> clock;  // of cycles
};

// Of the sessions that have figures of `metric`.
EpochValues values_of(const Baseline& baseline, const Epoch& epoch, const std::string& metric,
                      const MetricRecord& description, const ClockPolicy& policy) {
  EpochValues out;
  out.clock = clock_response(epoch, metric, policy);
  for (const auto& [id, as_measured] : epoch.figures.at(metric)) {
    const SessionFigures session = figures_of(epoch, id);
    const auto figures = judged_figures(session, metric, out.clock);
    const double value = session_value(figures, description.better, description.statistic);
    auto& unit = out.units[baseline.sessions.at(id).unit];
    unit.all.push_back(value);
    if (is_anchor(epoch, id)) {
      unit.anchors.push_back(value);
      if (out.clock) {
        unit.anchors_log_mhz.push_back(mean_log(clocks_mhz(session)));
      }
    }
    if (as_measured.size() > 1) {
      out.of_values += {value_variance(figures, description.better, description.statistic), 1};
    }
  }
  return out;
}

UnitAnchor anchor_of(const UnitValues& unit) {
  UnitAnchor out;
  out.value = mean(unit.anchors);
  out.sessions = static_cast<int>(unit.anchors.size());
  out.all_sessions = static_cast<int>(unit.all.size());
  if (!unit.anchors_log_mhz.empty()) {
    out.log_mhz = mean(unit.anchors_log_mhz);
  }
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

std::optional<ClockResponse> clock_response(const Epoch& epoch, const std::string& metric,
                                            const ClockPolicy& policy) {
  if (metric != kCycles) {
    return std::nullopt;
  }
  std::vector<SessionFigures> anchors;
  for (const auto& id : anchors_with(epoch, metric)) {
    anchors.push_back(figures_of(epoch, id));
  }
  return fit_clock_response(anchors, policy);
}

std::vector<double> judged_figures(const SessionFigures& session, const std::string& metric,
                                   const std::optional<ClockResponse>& clock) {
  return metric == kCycles ? cycles_at_one_clock(session, clock.value()) : session.at(metric);
}

MetricHistory history_of(const Baseline& baseline, const CaseRecord& record,
                         const std::string& metric, const ClockPolicy& clock) {
  MetricHistory out;
  std::set<std::string> known_units;
  for (auto epoch = record.epochs.rbegin(); epoch != record.epochs.rend(); ++epoch) {
    if (anchors_with(*epoch, metric).empty()) {
      continue;  // an older epoch, from before this metric was judged
    }
    const bool in_force = epoch == record.epochs.rbegin();
    const auto values = values_of(baseline, *epoch, metric, record.metrics.at(metric), clock);
    out.of_values += values.of_values;
    std::vector<double> new_units;  // the same cards in two epochs tell of their spread once
    for (const auto& [name, unit] : values.units) {
      out.between_sessions += deviations(unit.all);
      if (unit.anchors.empty()) {
        continue;
      }
      if (known_units.insert(name).second) {
        new_units.push_back(mean(unit.anchors));
      }
      if (in_force) {
        out.units[name] = anchor_of(unit);
      }
    }
    out.between_units += deviations(new_units);
    if (in_force) {
      out.clock = values.clock;
    }
  }
  return out;
}

}  // namespace perfgate
