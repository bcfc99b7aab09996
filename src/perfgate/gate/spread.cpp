#include "perfgate/gate/spread.h"

#include <algorithm>
#include <cmath>

#include "perfgate/baseline/session_value.h"
#include "perfgate/gate/case_group.h"
#include "perfgate/stats/descriptive.h"

namespace perfgate {
namespace {

struct GroupSpread {
  ProcessSpread largest;
  int sessions = 0;

  void add(const ProcessSpread& of_those, int count) {
    largest.slowest = std::max(largest.slowest, of_those.slowest);
    largest.typical = std::max(largest.typical, of_those.typical);
    sessions += count;
  }
};

void add_sessions(const CaseRecord& record, Metric metric, const ClockPolicy& clock,
                  GroupSpread& group) {
  const Statistic statistic = record.metrics.at(metric).statistic;
  for (const auto& revision : record.revisions) {
    if (references_with(revision, metric).empty()) {
      continue;  // from before this metric was judged
    }
    const auto response = clock_response(revision, metric, clock);
    for (const auto& [id, measurements] : revision.measurements.at(metric)) {
      if (measurements.size() > 2) {
        group.add(
            process_spread(judged_measurements(measurements_of(revision, id), metric, response),
                           better_of(metric), statistic),
            1);
      }
    }
    for (const auto& [device, on_device] : revision.later) {
      if (const auto later = on_device.metrics.find(metric); later != on_device.metrics.end()) {
        group.add(later->second.largest, later->second.several);
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

SpreadLimits::SpreadLimits(const Baseline& baseline, const Policy& policy) {
  std::map<CaseGroup, GroupSpread> groups;
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
    add_sessions(record, name, policy.clock, groups[family_group(key, metric)]);
  });
  const SpreadPolicy& limits = policy.spread_of(baseline.device.kind);
  for_each_judged(
      [&](const auto& key, const auto& /*record*/, const auto& name, const auto& metric) {
        limits_[{key, name}] = limit_of(groups.at(family_group(key, metric)), limits);
      });
}

const ProcessSpread& SpreadLimits::of(const std::string& case_key, Metric metric) const {
  return limits_.at({case_key, metric});
}

}  // namespace perfgate
