#include "perfgate/gate/device_effect.h"

#include <algorithm>
#include <cmath>

#include "perfgate/baseline/session_value.h"
#include "perfgate/gate/linked_devices.h"
#include "perfgate/stats/descriptive.h"
#include "perfgate/stats/student_t.h"

namespace perfgate {
namespace {

// Of the cases of one group, each on the devices that it is recorded on.
struct GroupValues {
  std::vector<DeviceValues> cases;
  std::vector<double> alone;  // of each session, its first process less the session
};

std::vector<double> values_less(const DeviceValues& devices,
                                const std::map<std::string, double>& effects) {
  std::vector<double> out;
  for (const auto& [device, value] : devices) {
    const auto effect = effects.find(device);
    out.push_back(value - (effect == effects.end() ? 0 : effect->second));
  }
  return out;
}

// Nothing where they do not settle. `cases`: of devices with effects alone.
std::optional<std::map<std::string, double>> effects_on(const std::vector<DeviceValues>& cases) {
  constexpr int kMostRounds = 1000;
  constexpr double kSettled = 1e-7;  // 0.00001 %
  std::map<std::string, double> effects;
  for (int round = 0; round < kMostRounds; ++round) {
    std::map<std::string, std::vector<double>> distances;
    for (const auto& devices : cases) {
      if (devices.size() > 1) {
        const double usual = mean(values_less(devices, effects));
        for (const auto& [device, value] : devices) {
          distances[device].push_back(value - usual);
        }
      }
    }
    std::map<std::string, double> next;
    double centre = 0;
    for (const auto& [device, of_device] : distances) {
      next[device] = mean(of_device);
      centre += next[device] / static_cast<double>(distances.size());
    }
    double moved = 0;
    for (auto& [device, effect] : next) {
      effect -= centre;
      moved = std::max(moved, std::abs(effect - effects[device]));
    }
    effects = std::move(next);
    if (moved < kSettled) {
      return effects;
    }
  }
  return std::nullopt;
}

SumOfSquares between_devices(const std::vector<DeviceValues>& cases,
                             const std::map<std::string, double>& effects) {
  SumOfSquares out;
  for (const auto& devices : cases) {
    out += deviations(values_less(devices, effects));
  }
  return out;
}

// A prediction interval, which another device lies outside of with this probability at either end.
double limit_of(const std::map<std::string, double>& effects, const VariancePrior& device,
                double outside) {
  std::vector<double> values;
  for (const auto& [name, effect] : effects) {
    values.push_back(effect);
  }
  const auto variance = moderate(deviations(values), device);
  return student_t_quantile(outside, variance.degrees) *
         std::sqrt(variance.variance * (1 + 1 / static_cast<double>(effects.size())));
}

std::optional<RecordedEffects> fit(const GroupValues& group, const ClassPolicy& class_policy,
                                   const Policy& policy) {
  const auto devices = linked_devices(group.cases, policy.effects.least_links);
  const auto cases = on_devices(group.cases, devices);
  const auto repeated = std::count_if(cases.begin(), cases.end(),
                                      [](const auto& values) { return values.size() > 1; });
  if (static_cast<int>(devices.size()) < policy.effects.least_devices ||
      repeated < policy.fit_cases) {
    return std::nullopt;
  }
  const auto effects = effects_on(cases);
  if (!effects) {
    return std::nullopt;
  }
  const SumOfSquares before = between_devices(cases, {});
  SumOfSquares after = between_devices(cases, *effects);
  after.degrees -= static_cast<double>(devices.size()) - 1;
  if (after.degrees <= 0 || after.variance() >= before.variance()) {
    return std::nullopt;
  }
  RecordedEffects out;
  out.by_device = *effects;
  out.limit = limit_of(*effects, class_policy.device, policy.effects.outside);
  out.remaining = {moderate(after, class_policy.device).variance,
                   class_policy.device_effect.value().degrees};
  out.share = after.degrees / before.degrees;
  out.alone = group.alone.empty() ? 0 : median(group.alone);
  return out;
}

DeviceValues values_of(const MetricHistory& history) {
  DeviceValues out;
  for (const auto& [device, reference] : history.devices) {
    out[device] = reference.value;
  }
  return out;
}

// Of the revision in force.
void add_case(const CaseRecord& record, Metric metric, const MetricHistory& history,
              GroupValues& out) {
  out.cases.push_back(values_of(history));
  const Better better = better_of(metric);
  const auto statistic = record.metrics.at(metric).statistic;
  const Revision& revision = record.revisions.back();
  for (const auto& [id, as_measured] : revision.measurements.at(metric)) {
    const auto session = judged_measurements(measurements_of(revision, id), metric, history.clock);
    if (session.size() > 1) {
      out.alone.push_back(session_value({session.front()}, better, statistic) -
                          session_value(session, better, statistic));
    }
  }
}

}  // namespace

std::optional<ReferenceLessEffects> less_effects(const MetricHistory& history,
                                                 const RecordedEffects& effects) {
  ReferenceLessEffects out;
  out.history = history;
  std::erase_if(out.history.devices,
                [&effects](const auto& item) { return effects.by_device.count(item.first) == 0; });
  if (out.history.devices.empty()) {
    return std::nullopt;
  }
  const auto values = values_less(values_of(out.history), effects.by_device);
  const auto remaining = deviations(values);
  out.value = mean(values);
  out.remaining = {remaining.sum, remaining.degrees * effects.share};
  return out;
}

DeviceEffects::DeviceEffects(const Baseline& baseline, const MetricHistories& histories,
                             const Policy& policy) {
  std::map<CaseGroup, GroupValues> groups;
  for (const auto& [which, history] : histories) {
    const auto& [key, metric] = which;
    const auto& record = baseline.cases.at(key);
    if (!is_ceiling(key) &&
        policy.class_of(record.metrics.at(metric).variance_class).device_effect &&
        record.revisions.back().measurements.count(metric) > 0) {
      add_case(record, metric, history, groups[sibling_group(key, record, metric)]);
    }
  }
  for (const auto& [group, members] : groups) {
    if (auto fitted = fit(members, policy.class_of(group.variance_class), policy)) {
      effects_.emplace(group, std::move(*fitted));
    }
  }
}

const RecordedEffects* DeviceEffects::of(const CaseGroup& group) const {
  const auto found = effects_.find(group);
  return found == effects_.end() ? nullptr : &found->second;
}

}  // namespace perfgate
