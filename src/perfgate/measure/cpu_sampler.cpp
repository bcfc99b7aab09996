#include "perfgate/measure/cpu_sampler.h"

#include <algorithm>
#include <cmath>

#include "perfgate/core/errors.h"
#include "perfgate/stats/descriptive.h"

namespace perfgate {
namespace {

struct Timed {
  Seconds elapsed{0};
  Seconds injected{0};
  bool disturbed = false;
};

// What is timed, and what is done before it each time.
struct Work {
  std::function<void()> run;
  std::function<void()> before_each = {};
};

// Times bodies and controls on one clock under one flush, and counts what it had to throw away.
class Stopwatch {
 public:
  Stopwatch(const CpuProtocol& protocol, CpuClock& clock, CacheFlush& flush, int discards_allowed)
      : protocol_(protocol), clock_(clock), flush_(flush), allowed_(discards_allowed) {}

  // `extra` runs right after `run` inside the timed region.
  Timed undisturbed(std::span<const std::span<const std::byte>> operands, const Work& work,
                    const std::function<void()>& extra) {
    Timed out = once(operands, work, extra);
    while (out.disturbed && discarded_ < allowed_) {
      ++discarded_;
      out = once(operands, work, extra);
    }
    noisy_ = noisy_ || out.disturbed;
    return out;
  }

  [[nodiscard]] int discarded() const { return discarded_; }
  [[nodiscard]] bool noisy() const { return noisy_; }

 private:
  Timed once(std::span<const std::span<const std::byte>> operands, const Work& work,
             const std::function<void()>& extra) {
    if (work.before_each) {
      work.before_each();
    }
    flush_.flush(operands);
    const long switches = clock_.voluntary_switches();
    const CpuInstant start = clock_.before();
    work.run();
    const CpuInstant middle = extra ? clock_.behind() : start;
    if (extra) {
      extra();
    }
    const CpuInstant stop = clock_.behind();
    Timed out;
    out.elapsed = stop.wall - start.wall;
    out.injected = extra ? stop.wall - middle.wall : Seconds(0);
    const Seconds on_core = std::max(stop.thread - start.thread, stop.process - start.process);
    // A body that waits takes that long; only what was taken from it is a disturbance.
    const bool waited = clock_.voluntary_switches() > switches;
    // A wall clock that jumps back is no measurement.
    out.disturbed =
        out.elapsed <= Seconds(0) ||
        (!waited && out.elapsed > on_core * (1 + protocol_.disturbed) + protocol_.clock_grain);
    return out;
  }

  const CpuProtocol& protocol_;
  CpuClock& clock_;
  CacheFlush& flush_;
  int allowed_;
  int discarded_ = 0;
  bool noisy_ = false;
};

// Extra work of the control's kind, sized so that it costs `percent` of the body's own time. Sized
// in place, behind the body and with the same operands flushed as in the samples: a piece of a
// triad costs a third of its time where it finds its arrays in a cache. What is left of the error
// is reported, since every sample times its injected work.
std::function<void()> calibrated_injection(Stopwatch& stopwatch,
                                           std::span<const std::span<const std::byte>> operands,
                                           const Work& body, CpuControl& control, double percent) {
  constexpr int kRounds = 4;
  constexpr int kRuns = 5;
  double shares = 0.1;
  for (int round = 0; round < kRounds; ++round) {
    std::vector<double> got_percent;
    for (int i = 0; i < kRuns; ++i) {
      const Timed timed =
          stopwatch.undisturbed(operands, body, [&control, shares] { control.run(shares); });
      got_percent.push_back(100 * timed.injected / (timed.elapsed - timed.injected));
    }
    shares *= percent / median(got_percent);
  }
  return [&control, shares] { control.run(shares); };
}

std::string length_class(Seconds expected) { return expected < Seconds(1e-3) ? "short" : "long"; }

}  // namespace

CpuSampler::CpuSampler(CpuProtocol protocol, CpuClock& clock, CacheFlush& flush,
                       MakeControl make_control, KernelTracer* tracer)
    : protocol_(protocol),
      clock_(clock),
      flush_(flush),
      make_control_(std::move(make_control)),
      tracer_(tracer) {}

MeasuredBody CpuSampler::measure(const Body& body, const Conditions& conditions) {
  const MeasurementPlan plan = plan_for(protocol_, body.expected);
  const auto control = make_control_(body.traffic.bound);
  const auto control_operands = control->operands();
  const Work timed_body{body.run, body.before_each};
  const Work timed_control{[&control] { control->run(1); }};
  Stopwatch stopwatch(protocol_, clock_, flush_, plan.samples / 2);

  const Seconds patience = plan.patience(body.expected);
  const Seconds start = clock_.before().wall;
  for (int i = 0; i < plan.warm_up_runs && clock_.before().wall - start < patience; ++i) {
    if (body.before_each) {
      body.before_each();
    }
    body.run();
  }
  timed_control.run();
  auto operands = body.operands;
  std::function<void()> extra;
  if (conditions.inject_percent > 0) {
    operands.insert(operands.end(), control_operands.begin(), control_operands.end());
    extra =
        calibrated_injection(stopwatch, operands, timed_body, *control, conditions.inject_percent);
  }

  const double work = body.traffic.bound == Bound::kMemory ? body.traffic.bytes.count
                                                           : body.traffic.operations.count;
  if (work <= 0) {
    throw SystemError(std::string("the case declares no ") +
                          (body.traffic.bound == Bound::kMemory ? "bytes" : "operations") +
                          ", which its Bound says it is limited by",
                      "set Work::traffic");
  }
  std::vector<double> time_us;
  std::vector<double> control_us;
  std::vector<double> utilisation;
  std::vector<double> injected;
  const auto time_control = [&] {
    const Timed timed = stopwatch.undisturbed(control_operands, timed_control, {});
    control_us.push_back(Microseconds(timed.elapsed).count());
    return timed.elapsed.count();
  };
  double before_s = time_control();
  Seconds spent{0};
  while (static_cast<int>(time_us.size()) < plan.samples && spent < patience) {
    const int count =
        std::min(plan.samples_a_block, plan.samples - static_cast<int>(time_us.size()));
    std::vector<double> block_s;
    for (int i = 0; i < count && spent < patience; ++i) {
      const Timed timed = stopwatch.undisturbed(operands, timed_body, extra);
      spent += timed.elapsed;
      block_s.push_back(timed.elapsed.count());
      time_us.push_back(Microseconds(timed.elapsed).count());
      injected.push_back(100 * timed.injected / (timed.elapsed - timed.injected));
    }
    const double after_s = time_control();
    const double control_s = (before_s + after_s) / 2;
    for (const double sample_s : block_s) {
      utilisation.push_back(work / sample_s / (control->work() / control_s));
    }
    before_s = after_s;
  }

  require_long_enough(median(time_us));
  MeasuredBody out;
  const std::string variance_class =
      std::string("cpu/") + (body.traffic.bound == Bound::kMemory ? "memory/" : "compute/") +
      length_class(body.expected);
  out.metrics[Quantity::kTime] = {median(time_us), false, variance_class};
  out.metrics[Quantity::kUtilisation] = {median(utilisation), true, variance_class};
  out.metrics[Quantity::kUtilisation].tolerance = body.tolerance;
  constexpr double kLeastSpread =
      1e-4;  // of samples that are all alike; recorded values are above 0
  out.metrics[Quantity::kSampleSpread] = {
      std::max(kLeastSpread, relative_interquartile_range(utilisation)), false, variance_class};
  out.report.protocol = {{"samples", std::int64_t{plan.samples}},
                         {"block", std::int64_t{plan.samples_a_block}},
                         {"threads", std::int64_t{1}},
                         {"flush", flush_.name()},
                         {"control", control->name()}};
  out.report.ceilings[control->ceiling()] = control->work() / (median(control_us) * 1e-6) / 1e9;
  out.report.samples = {{"time_us", time_us},
                        {"control_us", control_us},
                        {std::string(name_of(Quantity::kUtilisation)), utilisation}};
  if (extra) {
    out.report.injected_percent = median(injected);
  }
  out.report.noisy = stopwatch.noisy();
  out.report.discarded = stopwatch.discarded();
  return out;
}

// Of such a body ten times the work would look like a slowdown by some percent.
void CpuSampler::require_long_enough(double time_us) const {
  const double shortest_us = Microseconds(protocol_.shortest).count();
  if (time_us < shortest_us) {
    throw SystemError("too short to time: a run takes less than " +
                          std::to_string(std::lround(shortest_us)) +
                          " us, of which reading the clocks is a large part",
                      "repeat the work inside the body, and count all of it in Work::traffic");
  }
}

// A few executions behind one that does not count: MKL's first call under a trace waits until a
// second ends, to learn the clock's frequency.
TracedBody CpuSampler::traced(const Body& body) {
  if (tracer_ == nullptr) {
    return {};
  }
  const int runs = body.expected < Seconds(0.05) ? 3 : 1;
  const Seconds patience = plan_for(protocol_, body.expected).patience(body.expected);
  const Seconds start = clock_.before().wall;
  std::vector<std::vector<Activity>> executions;
  try {
    const Tracing tracing(*tracer_);
    for (int i = 0; i <= runs && clock_.before().wall - start < patience; ++i) {
      if (body.before_each) {
        body.before_each();
      }
      tracer_->collect();
      body.run();
      executions.push_back(tracer_->collect());
    }
  } catch (const TraceError& error) {
    return {NoTrace{error.problem()}};
  }
  if (executions.size() > 1) {
    executions.erase(executions.begin());
  }
  return {summarise(executions).kernels, std::move(executions.back())};
}

CeilingRates CpuSampler::ceilings() {
  CeilingRates out;
  for (const Bound bound : {Bound::kMemory, Bound::kCompute}) {
    const auto control = make_control_(bound);
    const auto operands = control->operands();
    constexpr int kRuns = 20;
    Stopwatch stopwatch(protocol_, clock_, flush_, kRuns / 2);
    std::vector<double> elapsed_s;
    control->run(1);
    for (int i = 0; i < kRuns; ++i) {
      elapsed_s.push_back(
          stopwatch.undisturbed(operands, {[&control] { control->run(1); }}, {}).elapsed.count());
    }
    out[control->ceiling()] = control->work() / median(elapsed_s) / 1e9;
  }
  return out;
}

}  // namespace perfgate
