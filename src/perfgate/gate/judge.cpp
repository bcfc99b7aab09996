#include "perfgate/gate/judge.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "perfgate/stats/student_t.h"

namespace perfgate {
namespace {

// What is said of a case of which next to nothing is known: it could hide this much at least. JSON
// has no infinity.
constexpr double kAnything = 1e6;

// Of a difference in logs.
double relative(double log) { return std::min(std::expm1(log), kAnything); }

struct Reference {
  double value = 0;
  double session_terms = 0;       // how many session variances the reference's own error adds
  double device_terms = 0;        // how many device variances the comparison adds
  std::optional<double> log_mhz;  // of cycles
  int sessions = 0;
  int devices = 0;
  bool known_device = false;
};

// A device with enough sessions of its own is compared with itself; so is the only device there is,
// for there is no other to differ from. Any other is compared with the mean over devices.
Reference reference_for(const MetricHistory& history, const std::string& device_id,
                        int known_sessions) {
  const auto own = history.devices.find(device_id);
  if (own != history.devices.end() &&
      (own->second.all_sessions >= known_sessions || history.devices.size() == 1)) {
    const auto& reference = own->second;
    return {reference.value,
            1.0 / reference.sessions,
            0,
            reference.log_mhz,
            reference.sessions,
            1,
            true};
  }
  Reference out;
  const auto devices = static_cast<double>(history.devices.size());
  for (const auto& [name, reference] : history.devices) {
    out.value += reference.value / devices;
    if (reference.log_mhz) {
      out.log_mhz = out.log_mhz.value_or(0) + *reference.log_mhz / devices;
    }
    out.session_terms += 1.0 / (devices * devices * reference.sessions);
    out.sessions += reference.sessions;
  }
  out.device_terms = 1 + 1 / devices;
  out.devices = static_cast<int>(history.devices.size());
  return out;
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
               const VariancePrior& session, const VariancePrior& device,
               const std::optional<ClockChange>& clock_mhz) {
  ModeratedVariance w = moderate(history.between_sessions, session);
  // Workers that differ this much cannot make a steadier value, whatever few sessions say.
  w.variance = std::max(w.variance, history.of_values.variance());
  std::vector<ModeratedVariance> parts = {{w.variance * (1 + reference.session_terms), w.degrees}};
  if (reference.device_terms > 0) {
    const ModeratedVariance b = moderate(history.between_devices, device);
    parts.push_back({b.variance * reference.device_terms, b.degrees});
  }
  if (clock_mhz) {
    const double distance = std::log(clock_mhz->now / clock_mhz->before);
    parts.push_back({history.clock->variance * distance * distance, history.clock->degrees});
  }
  return sum_of(parts);
}

// Of the two ways in which processes can lie apart, the one that comes nearer to its limit.
void set_spread(const ProcessSpread& spread, const ProcessSpread& limit, Judgement& out) {
  const bool by_slowest = spread.slowest / limit.slowest >= spread.typical / limit.typical;
  out.spread = relative(by_slowest ? spread.slowest : spread.typical);
  out.spread_limit = relative(by_slowest ? limit.slowest : limit.typical);
}

}  // namespace

Judgement judge(const JudgeContext& context, const std::string& case_key, Metric metric,
                const SessionMeasurements& tonight, const std::string& device_id) {
  const CaseRecord& record = context.baseline.cases.at(case_key);
  const auto& description = record.metrics.at(metric);
  const auto& policy = context.policy;
  const MetricHistory history = history_of(context.baseline, record, metric, policy.clock);
  const Reference reference = reference_for(history, device_id, policy.known_device_sessions);
  const auto measurements = judged_measurements(tonight, metric, history.clock);
  std::optional<ClockChange> clock_mhz;
  if (reference.log_mhz) {
    clock_mhz = {std::exp(mean_log(clocks_mhz(tonight, metric.phase))),
                 std::exp(*reference.log_mhz)};
  }
  const Noise noise = noise_of(history, reference, context.priors.session(case_key, metric),
                               policy.class_of(description.variance_class).device, clock_mhz);

  Judgement out;
  out.metric = metric;
  out.alpha = policy.false_alarms_a_night / std::max(1, judged_metrics(context.baseline));
  const double q = student_t_quantile(out.alpha, noise.degrees);
  const double z =
      student_t_quantile(1 - policy.detection_probability, std::numeric_limits<double>::infinity());
  const double tolerance =
      std::log1p(description.tolerance.value_or(policy.tolerance_of(context.baseline.device.kind)));
  const double threshold = std::max(tolerance, q * noise.standard_error);

  const double sign = slower_sign(better_of(metric));
  const double value = session_value(measurements, better_of(metric), description.statistic);
  const double d = value - reference.value;
  out.verdict = d > threshold    ? Verdict::kRegressed
                : d < -threshold ? Verdict::kImproved
                                 : Verdict::kPass;
  set_spread(process_spread(measurements, better_of(metric), description.statistic),
             context.spreads.of(case_key, metric), out);
  if (out.spread > out.spread_limit && out.verdict != Verdict::kRegressed) {
    out.verdict = Verdict::kUnsteady;
  }
  out.change = std::expm1(d);
  out.half_width =
      std::min(student_t_quantile(0.025, noise.degrees) * noise.standard_error, kAnything);
  out.mde = relative(threshold + z * noise.standard_error);
  out.tolerance = std::expm1(tolerance);
  out.own_tolerance = description.tolerance.has_value();
  out.threshold = relative(threshold);
  out.p_value = student_t_upper_tail(std::abs(d) / noise.standard_error, noise.degrees);
  out.now = std::exp(sign * value);
  out.before = std::exp(sign * reference.value);
  if (reference.log_mhz) {  // cycles are said at the reference's clock, at which they were measured
    const double shift =
        std::exp(history.clock->slope * (*reference.log_mhz - history.clock->log_mhz));
    out.now *= shift;
    out.before *= shift;
  }
  out.clock_mhz = clock_mhz;
  out.known_device = reference.known_device;
  out.sessions = reference.sessions;
  out.devices = reference.devices;
  out.worth_a_session = std::abs(d) > policy.screening_share * threshold;
  return out;
}

}  // namespace perfgate
