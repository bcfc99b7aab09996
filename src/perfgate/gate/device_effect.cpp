#include "perfgate/gate/device_effect.h"

#include <algorithm>
#include <cmath>

#include "perfgate/model/case_key.h"
#include "perfgate/stats/descriptive.h"

namespace perfgate {
namespace {

constexpr int kLeastDevices = 3;  // two would differ by one effect, whatever it is

// By device, what its reference sessions make of one case.
using DeviceValues = std::map<std::string, double>;

double effect_of(const std::map<std::string, double>& effects, const std::string& device) {
  const auto found = effects.find(device);
  return found == effects.end() ? 0 : found->second;
}

std::vector<double> values_less(const DeviceValues& devices,
                                const std::map<std::string, double>& effects) {
  std::vector<double> out;
  for (const auto& [device, value] : devices) {
    out.push_back(value - effect_of(effects, device));
  }
  return out;
}

// By device, the cases that say something of it: those that another device has as well.
std::map<std::string, std::vector<const DeviceValues*>> witnesses(
    const std::vector<DeviceValues>& cases) {
  std::map<std::string, std::vector<const DeviceValues*>> out;
  for (const auto& devices : cases) {
    if (devices.size() > 1) {
      for (const auto& [device, value] : devices) {
        out[device].push_back(&devices);
      }
    }
  }
  return out;
}

// Median polish, of devices that enough cases say something of.
std::map<std::string, double> effects_on(const std::vector<DeviceValues>& cases, int least_cases) {
  auto seen_by = witnesses(cases);
  std::erase_if(seen_by, [least_cases](const auto& item) {
    return static_cast<int>(item.second.size()) < least_cases;
  });
  constexpr int kMostRounds = 100;
  constexpr double kSettled = 1e-9;
  std::map<std::string, double> effects;
  for (int round = 0; round < kMostRounds; ++round) {
    std::map<std::string, double> next;
    double centre = 0;
    for (const auto& [device, devices_of_case] : seen_by) {
      std::vector<double> distances;
      for (const auto* devices : devices_of_case) {
        distances.push_back(devices->at(device) - mean(values_less(*devices, effects)));
      }
      next[device] = median(distances);
      centre += next[device] / static_cast<double>(seen_by.size());
    }
    double moved = 0;
    for (auto& [device, effect] : next) {
      effect -= centre;
      moved = std::max(moved, std::abs(effect - effect_of(effects, device)));
    }
    effects = std::move(next);
    if (moved < kSettled) {
      break;
    }
  }
  return effects;
}

SumOfSquares between_devices(const std::vector<DeviceValues>& cases,
                             const std::map<std::string, double>& effects) {
  SumOfSquares out;
  for (const auto& devices : cases) {
    out += deviations(values_less(devices, effects));
  }
  return out;
}

std::optional<RecordedEffects> fit(const std::vector<DeviceValues>& cases,
                                   const ClassPolicy& class_policy, const Policy& policy) {
  const auto repeated = std::count_if(cases.begin(), cases.end(),
                                      [](const auto& devices) { return devices.size() > 1; });
  RecordedEffects out;
  out.by_device = effects_on(cases, policy.global.least_cases);
  const SumOfSquares before = between_devices(cases, {});
  SumOfSquares after = between_devices(cases, out.by_device);
  after.degrees -= static_cast<double>(out.by_device.size()) - 1;
  if (repeated < policy.fit_cases || static_cast<int>(out.by_device.size()) < kLeastDevices ||
      after.degrees <= 0 || after.variance() >= before.variance()) {
    return std::nullopt;
  }
  out.share = after.degrees / before.degrees;
  out.remaining = {moderate(after, class_policy.device).variance, *class_policy.effect_degrees};
  return out;
}

DeviceValues values_of(const MetricHistory& history) {
  DeviceValues out;
  for (const auto& [device, reference] : history.devices) {
    out[device] = reference.value;
  }
  return out;
}

}  // namespace

SiblingGroup sibling_group(const std::string& case_key, const CaseRecord& record, Metric metric) {
  const auto& description = record.metrics.at(metric);
  return {family_of(case_key), description.variance_class, metric, description.statistic};
}

ReferenceLessEffects less_effects(const MetricHistory& history, const RecordedEffects& effects) {
  const auto values = values_less(values_of(history), effects.by_device);
  const auto remaining = deviations(values);
  return {mean(values), {remaining.sum, remaining.degrees * effects.share}};
}

DeviceEffects::DeviceEffects(const Baseline& baseline, const Policy& policy) {
  std::map<SiblingGroup, std::vector<DeviceValues>> groups;
  for (const auto& [key, record] : baseline.cases) {
    for (const auto& [metric, description] : record.metrics) {
      if (description.judged && !is_ceiling(key) &&
          policy.class_of(description.variance_class).effect_degrees) {
        groups[sibling_group(key, record, metric)].push_back(
            values_of(history_of(baseline, record, metric, policy.clock)));
      }
    }
  }
  for (const auto& [group, cases] : groups) {
    if (auto fitted = fit(cases, policy.class_of(std::get<1>(group)), policy)) {
      effects_.emplace(group, std::move(*fitted));
    }
  }
}

const RecordedEffects* DeviceEffects::of(const SiblingGroup& group) const {
  const auto found = effects_.find(group);
  return found == effects_.end() ? nullptr : &found->second;
}

void SiblingChanges::add(const SiblingGroup& group, const std::string& case_key,
                         double log_change) {
  changes_[group][case_key] = log_change;
}

std::optional<TonightsEffect> SiblingChanges::beside(const SiblingGroup& group,
                                                     const std::string& case_key, int least) const {
  std::vector<double> others;
  if (const auto found = changes_.find(group); found != changes_.end()) {
    for (const auto& [key, change] : found->second) {
      if (key != case_key) {
        others.push_back(change);
      }
    }
  }
  if (static_cast<int>(others.size()) < least) {
    return std::nullopt;
  }
  TonightsEffect out;
  out.value = median(others);
  out.siblings = static_cast<int>(others.size());
  // Of normal values the standard deviation is 1.4826 times the median distance from the median.
  std::vector<double> distances;
  for (const double change : others) {
    distances.push_back(std::abs(change - out.value));
  }
  const double deviation = 1.4826 * median(distances);
  out.variance = deviation * deviation * variance_of_median(others.size());
  return out;
}

}  // namespace perfgate
