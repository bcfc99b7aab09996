#include "perfgate/gate/judgement.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "perfgate/core/errors.h"
#include "perfgate/gate/change.h"
#include "perfgate/gate/dram_response.h"
#include "perfgate/stats/descriptive.h"
#include "perfgate/stats/student_t.h"

namespace perfgate {
namespace {

// What tonight's value is compared with, and what makes the comparison uncertain.
struct Reference {
  double value = 0;
  double session_terms = 0;       // how many session variances the reference's own error adds
  double device_variance = 0;     // what the comparison adds, where it is with other devices
  double device_degrees = 0;      // of freedom, of that variance
  std::optional<double> log_mhz;  // of cycles
  int sessions = 0;
  int devices = 0;
  bool known_device = false;
  std::optional<TonightsEffect> effect;
  bool has_effects = false;  // of its devices: siblings can tell something
};

Reference of_device(const DeviceReference& own) {
  return {own.value, 1.0 / own.sessions, 0, 0, own.log_mhz, own.sessions, 1, true, {}, false};
}

// How far, in logs, a device that reads DRAM at this rate lies from the mean of the devices in
// force. Unset where one of them has no rate, and where it is slower or faster than all of them:
// DRAM that got slower must not excuse what it slows.
std::optional<double> distance_in_dram(const MetricHistory& history, double log_rate,
                                       double alike) {
  std::vector<double> rates;
  for (const auto& [name, device] : history.devices) {
    if (!device.log_dram_read) {
      return std::nullopt;
    }
    rates.push_back(*device.log_dram_read);
  }
  const auto [least, most] = std::minmax_element(rates.begin(), rates.end());
  return log_rate < *least - alike || log_rate > *most + alike
             ? std::nullopt
             : std::optional(log_rate - mean(rates));
}

// The mean over devices, each counted once.
Reference of_devices(const MetricHistory& history, const ClassPolicy& policy,
                     const std::optional<double>& dram_distance) {
  Reference out;
  const auto devices = static_cast<double>(history.devices.size());
  for (const auto& [name, device] : history.devices) {
    out.value += device.value / devices;
    if (device.log_mhz) {
      out.log_mhz = out.log_mhz.value_or(0) + *device.log_mhz / devices;
    }
    out.session_terms += 1.0 / (devices * devices * device.sessions);
    out.sessions += device.sessions;
  }
  out.devices = static_cast<int>(history.devices.size());
  if (dram_distance) {
    const DramResponse response = fit_dram_response(history.device_points, *policy.dram);
    out.value += response.slope * *dram_distance;
    out.device_variance = response.remaining.variance * (1 + 1 / devices) +
                          response.variance * *dram_distance * *dram_distance;
    out.device_degrees = response.remaining.degrees;
  } else {
    const ModeratedVariance variance = moderate(history.between_devices, policy.device);
    out.device_variance = variance.variance * (1 + 1 / devices);
    out.device_degrees = variance.degrees;
  }
  return out;
}

// What this device does to all such cases is expected of this one, of the devices whose own effects
// are known.
Reference of_devices_with_effects(const ReferenceLessEffects& less, const RecordedEffects& recorded,
                                  const TonightsEffect& tonight, const ClassPolicy& policy) {
  Reference out = of_devices(less.history, policy, std::nullopt);
  const auto remaining = moderate(less.remaining, recorded.remaining);
  out.effect = tonight;
  out.value = less.value + tonight.value;
  out.device_variance = remaining.variance * (1 + 1.0 / out.devices) + tonight.variance;
  out.device_degrees = remaining.degrees;
  return out;
}

// A device with sessions of its own is compared with them, however few: devices of one model differ
// by more than sessions do.
Reference reference_for(const Judge& judge, const std::string& case_key, Metric metric,
                        const MetricHistory& history, const std::string& device_id) {
  if (const auto own = history.devices.find(device_id); own != history.devices.end()) {
    return of_device(own->second);
  }
  const auto& record = judge.baseline().cases.at(case_key);
  const auto& policy = judge.policy().class_of(record.metrics.at(metric).variance_class);
  const auto group = sibling_group(case_key, record, metric);
  const RecordedEffects* effects = judge.effects(group);
  const auto less = effects != nullptr ? less_effects(history, *effects) : std::nullopt;
  const auto tonight =
      less && judge.siblings() != nullptr
          ? judge.siblings()->beside(group, case_key, judge.policy().global.least_cases)
          : std::nullopt;
  const auto& log_rate = judge.log_dram_read();
  const auto dram_distance = policy.dram && log_rate && !is_ceiling(case_key)
                                 ? distance_in_dram(history, *log_rate, judge.policy().dram_alike)
                                 : std::nullopt;
  Reference out = tonight && std::abs(tonight->value) <= effects->limit
                      ? of_devices_with_effects(*less, *effects, *tonight, policy)
                      : of_devices(history, policy, dram_distance);
  out.has_effects = less.has_value();
  return out;
}

// Of the metric's part of the budget: two looks at one case share it.
double share_of_look(const Judge& judge, const std::string& case_key, Metric metric,
                     const Reference& reference) {
  if (judge.look() == Look::kOnly || !reference.has_effects) {
    return 1;
  }
  const auto& record = judge.baseline().cases.at(case_key);
  const auto& policy = judge.policy().class_of(record.metrics.at(metric).variance_class);
  return reference.effect ? policy.device_effect->second_look
                          : 1 - policy.device_effect->second_look;
}

struct Noise {
  double standard_error = 0;
  double degrees = 0;
};

// Welch and Satterthwaite: the degrees of freedom of a sum of variances.
Noise sum_of(const std::vector<ModeratedVariance>& parts) {
  double total = 0;
  double uncertainty = 0;
  for (const auto& part : parts) {
    total += part.variance;
    uncertainty += part.variance * part.variance / part.degrees;
  }
  return {std::sqrt(total), total * total / uncertainty};
}

Noise noise_of(const MetricHistory& history, const Reference& reference,
               const VariancePrior& session, const std::optional<ClockChange>& clock_mhz) {
  ModeratedVariance w = moderate(history.between_sessions, session);
  // Workers that differ this much cannot make a steadier value, whatever few sessions say.
  w.variance = std::max(w.variance, history.of_values.variance());
  std::vector<ModeratedVariance> parts = {{w.variance * (1 + reference.session_terms), w.degrees}};
  if (!reference.known_device) {
    parts.push_back({reference.device_variance, reference.device_degrees});
  }
  if (clock_mhz) {
    const double distance = std::log(clock_mhz->now / clock_mhz->before);
    parts.push_back({history.clock->variance * distance * distance, history.clock->degrees});
  }
  return sum_of(parts);
}

// What noise exceeds with this probability. `largest`: what it never does.
double noise_beyond(double probability, const Noise& noise, double largest) {
  return std::min(student_t_quantile(probability, noise.degrees) * noise.standard_error, largest);
}

// Of the two ways in which processes can lie apart, the one that comes nearer to its limit.
void set_spread(const ProcessSpread& spread, const ProcessSpread& limit, Judgement& out) {
  const bool by_slowest = spread.slowest / limit.slowest >= spread.typical / limit.typical;
  out.spread = relative({by_slowest ? spread.slowest : spread.typical});
  out.spread_limit = relative({by_slowest ? limit.slowest : limit.typical});
}

using Named = std::initializer_list<std::pair<const char*, double>>;

// Whatever was measured or recorded: one number that is none would be in every file of the run.
void require_finite(const std::string& case_key, Metric metric, const Named& numbers) {
  for (const auto& [name, value] : numbers) {
    if (!std::isfinite(value)) {
      throw SystemError(
          text_of(metric) + " of " + case_key + " cannot be judged: its " + name +
              " is no finite number",
          "look at its measurements in the baseline and tonight's; record it anew where they are "
          "beyond reason");
    }
  }
}

void require_finite(const std::string& case_key, const Judgement& judgement) {
  const auto& [clock, effect] = std::tie(judgement.clock_mhz, judgement.effect);
  require_finite(case_key, judgement.metric,
                 {{"half-width", judgement.half_width},
                  {"MDE", judgement.mde},
                  {"tolerance", judgement.tolerance},
                  {"threshold", judgement.threshold},
                  {"p-value", judgement.p_value},
                  {"spread", judgement.spread},
                  {"spread's limit", judgement.spread_limit},
                  {"value", judgement.now},
                  {"reference", judgement.before},
                  {"median", judgement.median.value_or(0)},
                  {"clock", clock ? clock->now : 0},
                  {"recorded clock", clock ? clock->before : 0},
                  {"device's effect", effect ? effect->value : 0},
                  {"variance of the device's effect", effect ? effect->variance : 0}});
}

}  // namespace

Judgement judgement_of(const Judge& judge, const std::string& case_key, Metric metric,
                       const SessionMeasurements& tonight, const std::string& device_id) {
  const CaseRecord& record = judge.baseline().cases.at(case_key);
  const auto& description = record.metrics.at(metric);
  const auto& policy = judge.policy();
  const MetricHistory& history = judge.history(case_key, metric);
  const Reference reference = reference_for(judge, case_key, metric, history, device_id);
  const auto measurements = judged_measurements(tonight, metric, history.clock);
  std::optional<ClockChange> clock_mhz;
  if (reference.log_mhz) {
    clock_mhz = {std::exp(mean_log(clocks_mhz(tonight, metric.phase))),
                 std::exp(*reference.log_mhz)};
  }
  const Noise noise =
      noise_of(history, reference, judge.session_noise(case_key, metric), clock_mhz);
  const double sign = slower_sign(better_of(metric));
  const double value = session_value(measurements, better_of(metric), description.statistic);
  const double d = value - reference.value;
  require_finite(case_key, metric,
                 {{"change", d},
                  {"standard error", noise.standard_error},
                  {"degrees of freedom", noise.degrees}});

  Judgement out;
  out.metric = metric;
  out.alpha = judge.alpha() * share_of_look(judge, case_key, metric, reference);
  const std::string& kind = judge.baseline().device.kind;
  const double largest = std::log1p(policy.machine_of(kind).largest_noise);
  const double tolerance = std::log1p(description.tolerance.value_or(policy.tolerance_of(kind)));
  const double threshold = std::max(tolerance, noise_beyond(out.alpha, noise, largest));

  out.verdict = d > threshold    ? Verdict::kRegressed
                : d < -threshold ? Verdict::kImproved
                                 : Verdict::kPass;
  out.p_value = student_t_upper_tail(std::abs(d) / noise.standard_error, noise.degrees);
  if (out.verdict == Verdict::kPass && !reference.known_device && d > tolerance &&
      out.p_value < policy.suspect_p_value) {
    out.verdict = Verdict::kSuspect;
  }
  out.worth_a_session = std::abs(d) > policy.screening_share * threshold;
  set_spread(process_spread(measurements, better_of(metric), description.statistic),
             judge.spread_limit(case_key, metric), out);
  if (out.spread > out.spread_limit && out.verdict != Verdict::kRegressed) {
    out.verdict = Verdict::kUnsteady;
  }
  out.change = relative({d});
  out.standard_error = noise.standard_error;
  out.degrees = std::min(noise.degrees, kAnything);
  out.half_width =
      std::min(student_t_quantile(0.025, noise.degrees) * noise.standard_error, kAnything);
  out.mde = relative({threshold + noise_beyond(1 - policy.detection_probability, noise, largest)});
  out.tolerance = relative({tolerance});
  out.own_tolerance = description.tolerance.has_value();
  out.threshold = relative({threshold});
  out.now = std::exp(sign * value);
  out.before = std::exp(sign * reference.value);
  if (description.statistic == Statistic::kBest && measurements.size() > 1) {
    out.median =
        std::exp(sign * session_value(measurements, better_of(metric), Statistic::kMedian));
  }
  if (reference.log_mhz) {  // cycles are said at the reference's clock, at which they were measured
    const double shift =
        std::exp(history.clock->slope * (*reference.log_mhz - history.clock->log_mhz));
    out.now *= shift;
    out.before *= shift;
  }
  out.clock_mhz = clock_mhz;
  out.known_device = reference.known_device;
  out.effect = reference.effect;
  out.sessions = reference.sessions;
  out.devices = reference.devices;
  require_finite(case_key, out);
  return out;
}

}  // namespace perfgate
