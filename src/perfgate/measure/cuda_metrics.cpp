#include "perfgate/measure/cuda_metrics.h"

#include <algorithm>
#include <optional>
#include <string>

#include "perfgate/core/errors.h"
#include "perfgate/stats/descriptive.h"

namespace perfgate {
namespace {

// Relative, of what a host takes: as it is, and over its control.
constexpr double kHostTolerance = 0.2;
constexpr double kRelativeHostTolerance = 0.05;

// Whose noise a metric shares. What launching costs differs between hosts by half of it.
constexpr const char* kLaunchClass = "cuda/launch";

// Over its control it differs far less.
constexpr const char* kHostClass = "cuda/host";

// Cycles do not spread with the clock that a body is granted.
constexpr const char* kCyclesClass = "cuda/cycles";

bool is_long(const Body& body) { return body.expected >= Seconds(40e-6); }

std::string class_of(const Body& body) {
  if (body.judged == Judged::kElapsed) {
    return kLaunchClass;
  }
  const char* bound = body.traffic.bound == Bound::kMemory ? "memory" : "compute";
  const char* length = is_long(body) ? "long" : "short";
  return std::string("cuda/") + bound + "/" + length;
}

// What each sample took of the SM clock: us times MHz.
std::vector<double> net_cycles(const CudaSeries& series, double floor_us) {
  std::vector<double> out;
  for (std::size_t i = 0; i < series.time_us.size(); ++i) {
    out.push_back((series.time_us[i] - floor_us) * series.clock_mhz[i]);
  }
  return out;
}

// Of device time: ten times the work of such a body would look like a slowdown by some percent.
constexpr double kShortestUs = 1;

std::optional<double> utilisation_of(const Body& body, Seconds net, const CeilingRates& ceilings) {
  const auto ceiling = body.ceiling ? ceilings.find(*body.ceiling) : ceilings.end();
  if (ceiling == ceilings.end()) {
    return std::nullopt;
  }
  const double rate = body.traffic.bound == Bound::kMemory
                          ? gb_per_s(body.traffic.bytes, net)
                          : gflop_per_s(body.traffic.operations, net);
  return rate / ceiling->second;
}

// Where it alone is judged, by a session's best process: interference only ever adds to it.
Measurement host_metric(const CudaSeries& series, const Body& body) {
  Measurement out{median(series.host_us), false, class_of(body)};
  if (body.judged == Judged::kHost) {
    out.judged = true;
    out.variance_class = kLaunchClass;
    out.statistic = Statistic::kBest;
    out.tolerance = kHostTolerance;
  }
  return out;
}

Measurement relative_host_metric(const CudaSeries& series) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < series.host_us.size(); ++i) {
    ratios.push_back(series.host_us[i] / series.host_control_us[i]);
  }
  Measurement out{median(ratios), true, kHostClass};
  out.tolerance = kRelativeHostTolerance;
  return out;
}

// What is left of a body's time without the floor, its cycles and its utilisation.
std::map<Quantity, Measurement> net_metrics(const CudaSeries& series, const Body& body,
                                            double floor_us, bool queued_whole,
                                            const CeilingRates& ceilings) {
  const double net_us = trimmed_mean(series.time_us) - floor_us;
  if (net_us <= 0) {
    throw SystemError("the body took no longer than an empty kernel",
                      "it may have queued its work on another stream than the current one");
  }
  const bool judged = judges_device_time(body.judged);
  if (judged && net_us < kShortestUs) {
    throw SystemError(
        "too short to time: a run takes less than 1 us longer than an empty kernel, "
        "and the floor that is subtracted varies by a part of that",
        "repeat the work inside the body, and count all of it in Work::traffic");
  }
  std::map<Quantity, Measurement> out;
  out[Quantity::kNetTime] = {net_us, judged, class_of(body), body.statistic};
  out[Quantity::kNetTime].tolerance = body.tolerance;
  if (body.traffic.bound == Bound::kCompute && queued_whole) {
    // Of a short body the clock is mostly that of the gaps before and behind it.
    out[Quantity::kCycles] = {trimmed_mean(net_cycles(series, floor_us)), judged && is_long(body),
                              kCyclesClass};
    out[Quantity::kCycles].tolerance = body.tolerance;
  }
  if (const auto utilisation = utilisation_of(body, Microseconds(net_us), ceilings)) {
    out[Quantity::kUtilisation] = {*utilisation, false, class_of(body)};
    out[Quantity::kUtilisation].derived = true;
  }
  return out;
}

}  // namespace

std::map<Quantity, Measurement> cuda_metrics(const CudaSeries& series, const Body& body,
                                             double floor_us, bool queued_whole,
                                             const CeilingRates& ceilings) {
  const bool as_read = body.judged == Judged::kElapsed;
  std::map<Quantity, Measurement> out;
  out[Quantity::kTime] = {trimmed_mean(series.time_us), as_read, class_of(body)};
  out[Quantity::kTime].derived = !as_read;
  out[Quantity::kHostTime] = host_metric(series, body);
  if (!series.host_control_us.empty()) {
    out[Quantity::kHostControl] = {median(series.host_control_us), false, kHostClass};
    out[Quantity::kRelativeHostTime] = relative_host_metric(series);
  }
  if (!as_read) {
    out.merge(net_metrics(series, body, floor_us, queued_whole, ceilings));
  }
  return out;
}

std::map<Quantity, Measurement> trace_metrics(const TraceSummary& trace, const Body& body) {
  std::map<Quantity, Measurement> out;
  if (trace.busy <= Seconds(0)) {
    return out;
  }
  const auto add = [&](Quantity quantity, double value) -> Measurement& {
    return out[quantity] = {value, false, class_of(body)};
  };
  Measurement& busy = add(Quantity::kBusyTime, Microseconds(trace.busy).count());
  busy.judged = body.judged == Judged::kDeviceAndHost;
  busy.statistic = body.statistic;
  busy.tolerance = body.tolerance;
  add(Quantity::kGap, Microseconds(trace.gap).count()).derived = true;
  add(Quantity::kLaunches, static_cast<double>(trace.launches)).derived = true;
  return out;
}

double injected_percent(const CudaSeries& series, double floor_us) {
  const double alone_us = trimmed_mean(series.alone_us);
  return 100 * (trimmed_mean(series.time_us) - alone_us) / (alone_us - floor_us);
}

}  // namespace perfgate
