#include "perfgate/measure/cuda_sampler.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "perfgate/core/errors.h"
#include "perfgate/measure/sample_taker.h"
#include "perfgate/stats/descriptive.h"

namespace perfgate {
namespace {

constexpr const char* kFloor = "event_floor_us";
constexpr double kHostTolerance = 0.2;  // relative

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
  SampleTaker taker(gpu, protocol.pause);
  const auto run = [&gpu] { gpu.empty_kernel(); };
  warm_up(protocol, gpu, taker, run);
  return figure_of(taker, run, samples);
}

struct Compared {
  Seconds alone{0};
  Seconds planted{0};
};

// Turn by turn, so that a clock that changes meanwhile changes both.
Compared compared(SampleTaker& taker, const std::function<void()>& run,
                  const std::function<void()>& planted, int samples) {
  std::vector<double> alone_s;
  std::vector<double> planted_s;
  for (int i = 0; i < samples; ++i) {
    alone_s.push_back(taker.take(run).elapsed.count());
    planted_s.push_back(taker.take(planted).elapsed.count());
  }
  return {Seconds(trimmed_mean(alone_s)), Seconds(trimmed_mean(planted_s))};
}

// The body with a spinning kernel behind it that costs `percent` of its own time. A kernel cannot
// be shorter than its launch, so short bodies get more than was asked for; what they really got is
// reported.
std::function<void()> with_plant(const CudaProtocol& protocol, SampleTaker& taker, Gpu& gpu,
                                 const Body& body, Seconds floor, double percent) {
  constexpr int kRounds = 4;
  constexpr int kMaxSamples = 20;
  constexpr double kCloseEnough = 0.05;  // of what was wanted
  const int samples = std::min(kMaxSamples, sample_count(protocol, body.expected));
  Seconds spin = percent / 100 * body.expected;
  const auto planted = [&gpu, run = body.run](Seconds length) {
    return [&gpu, run, length] {
      run();
      gpu.spin(length);
    };
  };
  for (int round = 0; round < kRounds; ++round) {
    const auto [alone, together] = compared(taker, body.run, planted(spin), samples);
    const Seconds wanted = percent / 100 * (alone - floor);
    const Seconds missing = wanted - (together - alone);
    if (std::abs(missing.count()) <= kCloseEnough * wanted.count()) {
      break;
    }
    spin = std::max(Seconds(0), spin + missing);
  }
  return planted(spin);
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

// What each sample took of the SM clock: us times MHz.
std::vector<double> net_cycles(const std::vector<double>& time_us, double floor_us,
                               const std::vector<double>& clock_mhz) {
  std::vector<double> out;
  for (std::size_t i = 0; i < time_us.size(); ++i) {
    out.push_back((time_us[i] - floor_us) * clock_mhz[i]);
  }
  return out;
}

int how_many_fit(const CudaProtocol& protocol, Seconds expected) {
  return static_cast<int>(protocol.sampling /
                          ((1 + protocol.pause) * expected + protocol.overhead));
}

std::string load_text(Seconds load) {
  return std::to_string(std::lround(1e3 * load.count())) + " ms of int8 tensor cores";
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

}  // namespace

int sample_count(const CudaProtocol& protocol, Seconds expected) {
  return std::clamp(how_many_fit(protocol, expected), protocol.min_samples, protocol.max_samples);
}

int trace_count(const CudaProtocol& protocol, Seconds expected) {
  return std::clamp(how_many_fit(protocol, expected), protocol.min_trace_runs,
                    protocol.max_trace_runs);
}

void CudaSampler::settle(Bound bound) {
  if (bound == Bound::kCompute && !loaded_) {
    loaded_ = gpu_.load(protocol_.load);
  }
}

Measurement CudaSampler::measure(const Body& body, const Conditions& conditions) {
  const int samples = sample_count(protocol_, body.expected);
  // Of this process, not of the run: floors differ by 2-3 % from process to process, and a body
  // shares most of that difference.
  if (!floor_) {
    floor_ = measured_floor(protocol_, gpu_, protocol_.floor_samples);
  }
  const Seconds floor = *floor_;
  SampleTaker taker(gpu_, protocol_.pause);
  warm_up(protocol_, gpu_, taker, body.run);

  std::function<void()> planted;
  if (conditions.inject_percent > 0) {
    planted = with_plant(protocol_, taker, gpu_, body, floor, conditions.inject_percent);
  }
  const auto& run = planted ? planted : body.run;
  std::vector<double> time_us;
  std::vector<double> host_us;
  std::vector<double> clock_mhz;
  std::vector<double> alone_us;  // without the plant, in between, to say what was planted
  for (int i = 0; i < samples; ++i) {
    const Sample sample = taker.take(run);
    time_us.push_back(Microseconds(sample.elapsed).count());
    host_us.push_back(Microseconds(sample.host).count());
    clock_mhz.push_back(sample.body_clock_mhz);
    if (planted) {
      alone_us.push_back(Microseconds(taker.take(body.run).elapsed).count());
    }
  }

  Measurement out;
  const double floor_us = Microseconds(floor).count();
  const double read_us = trimmed_mean(time_us);
  const double net_us = read_us - floor_us;
  const std::string variance_class = class_of(body);
  const auto add = [&](const char* name, double figure, bool judged) -> Reading& {
    auto& reading = out.metrics[name];
    reading = {figure, "us", Better::kLower, judged, variance_class};
    return reading;
  };
  add("time", read_us, body.judged == Judged::kReading).derived = body.judged != Judged::kReading;
  if (body.judged == Judged::kHostTime) {
    // Interference only ever adds to what a host takes.
    auto& host_time = add("host_time", median(host_us), true);
    host_time.variance_class = kLaunchClass;
    host_time.statistic = Statistic::kBest;
    host_time.tolerance = kHostTolerance;
  } else {
    add("host_time", median(host_us), false);
  }
  if (body.judged != Judged::kReading) {
    if (net_us <= 0) {
      throw SystemError("the body took no longer than an empty kernel",
                        "it may have queued its work on another stream than the current one");
    }
    const bool judged = body.judged == Judged::kDeviceTime;
    add("net_time", net_us, judged).statistic = body.statistic;
    if (body.traffic.bound == Bound::kCompute && taker.held()) {
      // Of a short body the clock is mostly that of the gaps before and behind it.
      auto& cycles = add("sm_cycles", trimmed_mean(net_cycles(time_us, floor_us, clock_mhz)),
                         judged && is_long(body));
      cycles.unit = "cycles";
      cycles.variance_class = kCyclesClass;
    }
    if (const auto utilisation = utilisation_of(body, Microseconds(net_us), conditions)) {
      auto& reading = out.metrics["utilisation"];
      reading = {*utilisation, "ratio", Better::kHigher, false, variance_class};
      reading.derived = true;
    }
  }
  if (tracer_ == nullptr) {
    out.environment["kernel_trace"] = why_no_tracer_;
  } else {
    try {
      const TraceSummary trace =
          traced(taker, *tracer_, run, trace_count(protocol_, body.expected));
      out.kernels = trace.kernels;
      if (trace.busy > Seconds(0)) {
        add("busy_time", Microseconds(trace.busy).count(), false);
        add("gap", Microseconds(trace.gap).count(), false).derived = true;
        auto& launches = add("launches", static_cast<double>(trace.launches), false);
        launches.unit = "1";
        launches.derived = true;
      }
    } catch (const TraceError& error) {  // under a profiler, say: the times are good without
      out.environment["kernel_trace"] = error.problem();
    }
  }
  out.ceilings = {{kFloor, Microseconds(floor).count()}};
  out.protocol = {{"samples", std::int64_t{samples}},
                  {"pause", std::to_string(static_cast<int>(protocol_.pause)) + " bodies"},
                  {"flush", "read"},
                  {"figure", "mean, tenths off"},
                  {"held", taker.held()}};
  if (body.traffic.bound == Bound::kCompute && loaded_) {
    out.protocol["load"] = load_text(protocol_.load);
  }
  out.samples = {{"time_us", time_us}, {"host_us", host_us}, {"sm_clock_mhz", clock_mhz}};
  if (planted) {
    out.planted_percent =
        100 * (read_us - trimmed_mean(alone_us)) / (trimmed_mean(alone_us) - floor_us);
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
