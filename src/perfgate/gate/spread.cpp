#include "perfgate/gate/spread.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "perfgate/gate/history.h"
#include "perfgate/model/case_key.h"
#include "perfgate/stats/descriptive.h"

namespace perfgate {
namespace {

struct GroupSpread {
  ProcessSpread largest;
  int sessions = 0;

  void add(const ProcessSpread& session) {
    largest.slowest = std::max(largest.slowest, session.slowest);
    largest.typical = std::max(largest.typical, session.typical);
    ++sessions;
  }
};

using Group = std::tuple<std::string, Statistic, std::string>;  // class, statistic, family

Group group_of(const std::string& case_key, const MetricRecord& metric) {
  return {metric.variance_class, metric.statistic, family_of(case_key)};
}

void add_sessions(const CaseRecord& record, const std::string& name, const ClockPolicy& clock,
                  GroupSpread& group) {
  const auto& metric = record.metrics.at(name);
  for (const auto& epoch : record.epochs) {
    if (anchors_with(epoch, name).empty()) {
      continue;  // from before this metric was judged
    }
    const auto response = clock_response(epoch, name, clock);
    for (const auto& [id, measurements] : epoch.figures.at(name)) {
      if (measurements.size() > 2) {
        group.add(process_spread(judged_figures(figures_of(epoch, id), name, response),
                                 metric.better, metric.statistic));
      }
    }
  }
}

ProcessSpread limit_of(const GroupSpread& group, const SpreadPolicy& policy) {
  if (group.sessions < policy.sessions) {
    return {std::log1p(policy.unknown), std::log1p(policy.unknown)};
  }
  const auto limit = [&policy](double largest) {
    return std::max(std::log1p(policy.least), policy.multiple * largest);
  };
  return {limit(group.largest.slowest), limit(group.largest.typical)};
}

}  // namespace

ProcessSpread process_spread(const std::vector<double>& measurements, Better better,
                             Statistic statistic) {
  const double middle = session_value(measurements, better, Statistic::kMedian);
  ProcessSpread out;
  for (const double measurement : measurements) {
    out.slowest = std::max(out.slowest, slower_sign(better) * std::log(measurement) - middle);
  }
  if (statistic == Statistic::kBest) {
    out.typical = middle - session_value(measurements, better, Statistic::kBest);
  }
  return out;
}

SpreadLimits::SpreadLimits(const Baseline& baseline, const Policy& policy) {
  std::map<Group, GroupSpread> groups;
  const auto for_each_judged = [&baseline](const auto& visit) {
    for (const auto& [key, record] : baseline.cases) {
      for (const auto& [name, metric] : record.metrics) {
        if (metric.judged) {
          visit(key, record, name, metric);
        }
      }
    }
  };
  for_each_judged([&](const auto& key, const auto& record, const auto& name, const auto& metric) {
    add_sessions(record, name, policy.clock, groups[group_of(key, metric)]);
  });
  const SpreadPolicy& limits = policy.spread_of(baseline.device.kind);
  for_each_judged(
      [&](const auto& key, const auto& /*record*/, const auto& name, const auto& metric) {
        limits_[{key, name}] = limit_of(groups.at(group_of(key, metric)), limits);
      });
}

const ProcessSpread& SpreadLimits::of(const std::string& case_key,
                                      const std::string& metric) const {
  return limits_.at({case_key, metric});
}

}  // namespace perfgate
