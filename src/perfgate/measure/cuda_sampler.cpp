#include "perfgate/measure/cuda_sampler.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "perfgate/core/errors.h"
#include "perfgate/measure/cuda_plant.h"
#include "perfgate/measure/sample_taker.h"
#include "perfgate/stats/descriptive.h"

namespace perfgate {
namespace {

constexpr const char* kFloor = "event_floor_us";
constexpr double kHostTolerance = 0.2;  // relative

// From an idle GPU's clocks on. The clock behind a body tells when that is over; the one under it
// goes on answering to what the body draws, which is the load's to settle (see
// CudaSampler::settle).
void warm_up(const CudaProtocol& protocol, Gpu& gpu, SampleTaker& taker,
             const std::function<void()>& run) {
  const Seconds start = gpu.now();
  double last_mhz = 0;
  while (gpu.now() - start < protocol.max_warm_up) {
    const double mhz = taker.take(run).clock_behind_mhz;
    const bool steady = std::abs(mhz - last_mhz) <= protocol.steady_clock * mhz;
    if (steady && gpu.now() - start >= protocol.warm_up) {
      return;
    }
    last_mhz = mhz;
  }
}

Seconds figure_of(SampleTaker& taker, const std::function<void()>& run, int samples) {
  std::vector<double> elapsed_s;
  for (int i = 0; i < samples; ++i) {
    elapsed_s.push_back(taker.take(run).elapsed.count());
  }
  return Seconds(trimmed_mean(elapsed_s));
}

Seconds measured_floor(const CudaProtocol& protocol, Gpu& gpu, int samples) {
  SampleTaker taker(gpu, protocol.pause);  // of an empty kernel
  const auto run = [&gpu] { gpu.empty_kernel(); };
  warm_up(protocol, gpu, taker, run);
  return figure_of(taker, run, samples);
}

// Stops the trace however it ends.
class Tracing {
 public:
  explicit Tracing(KernelTracer& tracer) : tracer_(tracer) {}
  ~Tracing() { tracer_.stop(); }
  Tracing(const Tracing&) = delete;
  Tracing& operator=(const Tracing&) = delete;

 private:
  KernelTracer& tracer_;
};

// A body that runs as it does while it is timed, but under the trace.
TraceSummary traced(SampleTaker& taker, KernelTracer& tracer, const std::function<void()>& run,
                    int executions_wanted) {
  std::vector<std::vector<Activity>> executions;
  const Tracing tracing(tracer);
  tracer.start();
  taker.take(run);  // the first one pays for the tracer's own start
  tracer.collect();
  for (int i = 0; i < executions_wanted; ++i) {
    taker.take(run);
    executions.push_back(body_of(tracer.collect(), kKernelBeforeBody, kKernelAfterBody));
  }
  return summarise(executions);
}

// Whose noise a metric shares. What launching costs differs between hosts by half of it.
constexpr const char* kLaunchClass = "cuda/launch";

// Cycles do not spread with the clock that a body is granted.
constexpr const char* kCyclesClass = "cuda/cycles";

bool is_long(const Body& body) { return body.expected >= Seconds(40e-6); }

std::string class_of(const Body& body) {
  if (body.judged == Judged::kReading) {
    return kLaunchClass;
  }
  const char* bound = body.traffic.bound == Bound::kMemory ? "memory" : "compute";
  const char* length = is_long(body) ? "long" : "short";
  return std::string("cuda/") + bound + "/" + length;
}

// What a body's samples say.
struct Series {
  std::vector<double> time_us;
  std::vector<double> host_us;
  std::vector<double> clock_mhz;
  std::vector<double> alone_us;  // without the plant, in between, to say what was planted
};

// `alone`: the body without its plant, where it has one.
Series series_of(SampleTaker& taker, const std::function<void()>& run,
                 const std::function<void()>& alone, int samples) {
  Series out;
  for (int i = 0; i < samples; ++i) {
    const Sample sample = taker.take(run);
    out.time_us.push_back(Microseconds(sample.elapsed).count());
    out.host_us.push_back(Microseconds(sample.host).count());
    out.clock_mhz.push_back(sample.body_clock_mhz);
    if (alone) {
      out.alone_us.push_back(Microseconds(taker.take(alone).elapsed).count());
    }
  }
  return out;
}

// What each sample took of the SM clock: us times MHz.
std::vector<double> net_cycles(const Series& series, double floor_us) {
  std::vector<double> out;
  for (std::size_t i = 0; i < series.time_us.size(); ++i) {
    out.push_back((series.time_us[i] - floor_us) * series.clock_mhz[i]);
  }
  return out;
}

// `sample`: of a body, with as much of its pause as is to count.
int how_many_fit(Seconds sampling, const CudaProtocol& protocol, Seconds sample) {
  return static_cast<int>(sampling / (sample + protocol.overhead));
}

std::string load_text(Seconds load) {
  return std::to_string(std::lround(1e3 * load.count())) + " ms of int8 tensor cores";
}

std::string pause_text(double bodies) {
  return bodies > 0 ? std::to_string(std::lround(bodies)) + " bodies" : "none";
}

std::optional<double> utilisation_of(const Body& body, Seconds net, const Conditions& conditions) {
  const auto ceiling = conditions.ceilings.find(body.ceiling);
  if (ceiling == conditions.ceilings.end()) {
    return std::nullopt;
  }
  const double rate = body.traffic.bound == Bound::kMemory
                          ? gb_per_s(body.traffic.bytes, net)
                          : gflop_per_s(body.traffic.operations, net);
  return rate / ceiling->second;
}

Reading reading(double figure, const char* unit, bool judged, std::string variance_class) {
  return {figure, unit, Better::kLower, judged, std::move(variance_class)};
}

// Interference only ever adds to what a host takes.
Reading host_reading(const Series& series, const Body& body) {
  const bool judged = body.judged == Judged::kHostTime;
  Reading out =
      reading(median(series.host_us), "us", judged, judged ? kLaunchClass : class_of(body));
  if (judged) {
    out.statistic = Statistic::kBest;
    out.tolerance = kHostTolerance;
  }
  return out;
}

// What is left of a body's time without the floor, its cycles and its utilisation.
std::map<std::string, Reading> net_readings(const Series& series, const Body& body, double floor_us,
                                            bool held, const Conditions& conditions) {
  const double net_us = trimmed_mean(series.time_us) - floor_us;
  if (net_us <= 0) {
    throw SystemError("the body took no longer than an empty kernel",
                      "it may have queued its work on another stream than the current one");
  }
  const bool judged = body.judged == Judged::kDeviceTime;
  std::map<std::string, Reading> out;
  out[kNetTime] = reading(net_us, "us", judged, class_of(body));
  out[kNetTime].statistic = body.statistic;
  if (body.traffic.bound == Bound::kCompute && held) {
    // Of a short body the clock is mostly that of the gaps before and behind it.
    out[kCycles] = reading(trimmed_mean(net_cycles(series, floor_us)), "cycles",
                           judged && is_long(body), kCyclesClass);
  }
  if (const auto utilisation = utilisation_of(body, Microseconds(net_us), conditions)) {
    out["utilisation"] = {*utilisation, "ratio", Better::kHigher, false, class_of(body)};
    out["utilisation"].derived = true;
  }
  return out;
}

void add_trace(Measurement& out, const TraceSummary& trace, const Body& body) {
  out.kernels = trace.kernels;
  if (trace.busy > Seconds(0)) {
    const auto add = [&](const char* name, double figure, const char* unit) -> Reading& {
      return out.metrics[name] = reading(figure, unit, false, class_of(body));
    };
    add("busy_time", Microseconds(trace.busy).count(), "us").statistic = body.statistic;
    add("gap", Microseconds(trace.gap).count(), "us").derived = true;
    add("launches", static_cast<double>(trace.launches), "1").derived = true;
  }
}

}  // namespace

double pause_behind(const CudaProtocol& protocol, Seconds expected) {
  return expected <= protocol.longest_paused ? protocol.pause : 0;
}

int sample_count(const CudaProtocol& protocol, Seconds expected) {
  const Seconds with_pause = (1 + pause_behind(protocol, expected)) * expected;
  const int usual = std::clamp(how_many_fit(protocol.sampling, protocol, with_pause),
                               protocol.min_samples, protocol.max_samples);
  return std::max(protocol.fewest_samples,
                  std::min(usual, how_many_fit(protocol.longest_sampling, protocol, expected)));
}

int trace_count(const CudaProtocol& protocol, Seconds expected) {
  return std::clamp(how_many_fit(protocol.sampling, protocol, (1 + protocol.pause) * expected),
                    protocol.min_trace_runs, protocol.max_trace_runs);
}

void CudaSampler::settle(Bound bound) {
  if (bound == Bound::kCompute && !loaded_) {
    loaded_ = gpu_.load(protocol_.load);
  }
}

Measurement CudaSampler::measure(const Body& body, const Conditions& conditions) {
  constexpr int kPlantSamples = 20;
  const int samples = sample_count(protocol_, body.expected);
  // Of this process, not of the run: floors differ by 2-3 % from process to process, and a body
  // shares most of that difference.
  if (!floor_) {
    floor_ = measured_floor(protocol_, gpu_, protocol_.floor_samples);
  }
  const double floor_us = Microseconds(*floor_).count();
  const double pause = pause_behind(protocol_, body.expected);
  SampleTaker taker(gpu_, pause);
  warm_up(protocol_, gpu_, taker, body.run);

  const bool planted = conditions.inject_percent > 0;
  const auto run = planted ? with_plant(taker, gpu_, body.run,
                                        {conditions.inject_percent, body.expected, *floor_,
                                         std::min(kPlantSamples, samples)})
                           : body.run;
  const Series series =
      series_of(taker, run, planted ? body.run : std::function<void()>(), samples);

  Measurement out;
  const double time_us = trimmed_mean(series.time_us);
  const bool as_read = body.judged == Judged::kReading;
  out.metrics["time"] = reading(time_us, "us", as_read, class_of(body));
  out.metrics["time"].derived = !as_read;
  out.metrics["host_time"] = host_reading(series, body);
  if (!as_read) {
    out.metrics.merge(net_readings(series, body, floor_us, taker.held(), conditions));
  }
  if (tracer_ == nullptr) {
    out.environment["kernel_trace"] = why_no_tracer_;
  } else {
    try {
      add_trace(out, traced(taker, *tracer_, run, trace_count(protocol_, body.expected)), body);
    } catch (const TraceError& error) {  // under a profiler, say: the times are good without
      out.environment["kernel_trace"] = error.problem();
    }
  }
  out.ceilings = {{kFloor, floor_us}};
  out.protocol = {{"samples", std::int64_t{samples}},
                  {"pause", pause_text(pause)},
                  {"flush", "read"},
                  {"figure", samples < 10 ? "mean, least and greatest off" : "mean, tenths off"},
                  {"held", taker.held()}};
  if (body.traffic.bound == Bound::kCompute && loaded_) {
    out.protocol["load"] = load_text(protocol_.load);
  }
  out.samples = {
      {"time_us", series.time_us}, {"host_us", series.host_us}, {"sm_clock_mhz", series.clock_mhz}};
  if (planted) {
    const double alone_us = trimmed_mean(series.alone_us);
    out.planted_percent = 100 * (time_us - alone_us) / (alone_us - floor_us);
  }
  out.discarded = taker.discarded();
  return out;
}

std::map<std::string, double> CudaSampler::ceilings() {
  constexpr int kSamples = 2000;
  floor_ = measured_floor(protocol_, gpu_, kSamples);
  return {{kFloor, Microseconds(*floor_).count()}};
}

}  // namespace perfgate
