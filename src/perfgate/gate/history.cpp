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

// Of the sessions that have figures of `metric`.
std::optional<ClockResponse> clock_response(const Epoch& epoch, const std::string& metric) {
  if (!goes_with_clock(metric)) {
    return std::nullopt;
  }
  std::vector<SessionFigures> sessions;
  for (const auto& [id, figures] : epoch.figures.at(metric)) {
    sessions.push_back(figures_of(epoch, id));
  }
  return fit_clock_response(sessions);
}

}  // namespace

double slower_sign(Better better) { return better == Better::kLower ? 1.0 : -1.0; }

double session_value(const std::vector<double>& figures, Better better, Statistic statistic) {
  return statistic == Statistic::kMean ? slower_sign(better) * mean_log(figures)
                                       : best_first(figures, better).front();
}

double value_variance(const std::vector<double>& figures, Better better, Statistic statistic) {
  if (figures.size() < 2) {
    return 0;
  }
  const auto workers = static_cast<double>(figures.size());
  if (statistic == Statistic::kMean) {
    return log_deviations(figures).variance() / workers;
  }
  // All leave-one-out values are the best but one, which is the second best.
  const auto sorted = best_first(figures, better);
  return std::pow((workers - 1) / workers * (sorted[1] - sorted[0]), 2);
}

std::vector<double> judged_figures(const SessionFigures& session, const std::string& metric,
                                   const std::optional<ClockResponse>& clock) {
  return clock ? cycles_at_one_clock(session, *clock) : session.at(metric);
}

MetricHistory history_of(const Baseline& baseline, const CaseRecord& record,
                         const std::string& metric) {
  const auto& description = record.metrics.at(metric);
  MetricHistory out;
  std::set<std::string> known_units;
  for (auto item = record.epochs.rbegin(); item != record.epochs.rend(); ++item) {
    const Epoch& epoch = *item;
    const bool in_force = item == record.epochs.rbegin();
    std::map<std::string, std::vector<double>> values_by_unit;
    std::map<std::string, std::vector<double>> anchors_by_unit;
    const auto sessions = epoch.figures.find(metric);
    if (sessions == epoch.figures.end()) {
      continue;  // an older epoch, from before this metric was judged
    }
    const auto clock = clock_response(epoch, metric);
    std::map<std::string, std::vector<double>> anchor_clocks;
    for (const auto& [id, as_measured] : sessions->second) {
      const std::string& unit = baseline.sessions.at(id).unit;
      const SessionFigures session = figures_of(epoch, id);
      const auto figures = judged_figures(session, metric, clock);
      const double value = session_value(figures, description.better, description.statistic);
      values_by_unit[unit].push_back(value);
      if (is_anchor(epoch, id)) {
        anchors_by_unit[unit].push_back(value);
        anchor_clocks[unit].push_back(clock ? mean_log_mhz(session) : 0);
      }
      if (figures.size() > 1) {
        out.of_values += {value_variance(figures, description.better, description.statistic), 1};
      }
    }
    for (const auto& [unit, values] : values_by_unit) {
      out.between_sessions += deviations(values);
    }
    std::vector<double> new_units;  // the same cards in two epochs tell of their spread once
    for (const auto& [unit, values] : anchors_by_unit) {
      if (known_units.insert(unit).second) {
        new_units.push_back(mean(values));
      }
      if (in_force) {
        out.units[unit] = {mean(values), static_cast<int>(values.size()),
                           static_cast<int>(values_by_unit[unit].size()),
                           mean(anchor_clocks[unit])};
      }
    }
    out.between_units += deviations(new_units);
    if (in_force) {
      out.clock = clock;
    }
  }
  return out;
}

}  // namespace perfgate
