#include "perfgate/measure/cpu_sampler.h"

#include <algorithm>
#include <cmath>

#include "perfgate/stats/descriptive.h"

namespace perfgate {
namespace {

struct Timed {
  Seconds elapsed{0};
  Seconds planted{0};
  bool disturbed = false;
};

// Times bodies and controls on one clock under one flush, and counts what it had to throw away.
class Stopwatch {
 public:
  Stopwatch(const CpuProtocol& protocol, CpuClock& clock, CacheFlush& flush, int discards_allowed)
      : protocol_(protocol), clock_(clock), flush_(flush), allowed_(discards_allowed) {}

  // `plant` runs right after `run` inside the timed region.
  Timed undisturbed(std::span<const std::span<const std::byte>> operands,
                    const std::function<void()>& run, const std::function<void()>& plant) {
    Timed out = once(operands, run, plant);
    while (out.disturbed && discarded_ < allowed_) {
      ++discarded_;
      out = once(operands, run, plant);
    }
    noisy_ = noisy_ || out.disturbed;
    return out;
  }

  [[nodiscard]] int discarded() const { return discarded_; }
  [[nodiscard]] bool noisy() const { return noisy_; }

 private:
  Timed once(std::span<const std::span<const std::byte>> operands, const std::function<void()>& run,
             const std::function<void()>& plant) {
    flush_.flush(operands);
    const long switches = clock_.voluntary_switches();
    const CpuInstant start = clock_.before();
    run();
    const CpuInstant middle = plant ? clock_.behind() : start;
    if (plant) {
      plant();
    }
    const CpuInstant stop = clock_.behind();
    Timed out;
    out.elapsed = stop.wall - start.wall;
    out.planted = plant ? stop.wall - middle.wall : Seconds(0);
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
// is reported, since every sample times its plant.
std::function<void()> calibrated_plant(Stopwatch& stopwatch,
                                       std::span<const std::span<const std::byte>> operands,
                                       const std::function<void()>& run, CpuControl& control,
                                       double percent) {
  constexpr int kRounds = 4;
  constexpr int kRuns = 5;
  double shares = 0.1;
  for (int round = 0; round < kRounds; ++round) {
    std::vector<double> got_percent;
    for (int i = 0; i < kRuns; ++i) {
      const Timed timed =
          stopwatch.undisturbed(operands, run, [&control, shares] { control.run(shares); });
      got_percent.push_back(100 * timed.planted / (timed.elapsed - timed.planted));
    }
    shares *= percent / median(got_percent);
  }
  return [&control, shares] { control.run(shares); };
}

// How many bodies of this length fit; closed-form lengths make it the same in every process.
int how_often(Seconds expected, Seconds into) {
  return static_cast<int>(into / std::max(expected, Seconds(1e-6)));
}

std::string length_class(Seconds expected) { return expected < Seconds(1e-3) ? "short" : "long"; }

}  // namespace

int sample_count(const CpuProtocol& protocol, Seconds expected) {
  return std::clamp(how_often(expected, protocol.sampling), protocol.min_samples,
                    protocol.max_samples);
}

CpuSampler::CpuSampler(CpuProtocol protocol, CpuClock& clock, CacheFlush& flush,
                       MakeControl make_control)
    : protocol_(protocol), clock_(clock), flush_(flush), make_control_(std::move(make_control)) {}

Measurement CpuSampler::measure(const Body& body, const Conditions& conditions) {
  const int samples = sample_count(protocol_, body.expected);
  const int in_block = std::clamp(how_often(body.expected, protocol_.block), 1, samples);
  const int warm_ups =
      std::clamp(how_often(body.expected, protocol_.warm_up), protocol_.min_warm_up_runs, samples);
  const auto control = make_control_(body.traffic.bound);
  const auto control_operands = control->operands();
  const auto run_control = [&control] { control->run(1); };
  Stopwatch stopwatch(protocol_, clock_, flush_, samples / 2);

  for (int i = 0; i < warm_ups; ++i) {
    body.run();
  }
  run_control();
  auto operands = body.operands;
  std::function<void()> plant;
  if (conditions.inject_percent > 0) {
    operands.insert(operands.end(), control_operands.begin(), control_operands.end());
    plant = calibrated_plant(stopwatch, operands, body.run, *control, conditions.inject_percent);
  }

  const double work = body.traffic.bound == Bound::kMemory ? body.traffic.bytes.count
                                                           : body.traffic.operations.count;
  std::vector<double> time_us;
  std::vector<double> control_us;
  std::vector<double> utilisation;
  std::vector<double> planted;
  const auto time_control = [&] {
    const Timed timed = stopwatch.undisturbed(control_operands, run_control, {});
    control_us.push_back(Microseconds(timed.elapsed).count());
    return timed.elapsed.count();
  };
  double before_s = time_control();
  while (static_cast<int>(time_us.size()) < samples) {
    const int count = std::min(in_block, samples - static_cast<int>(time_us.size()));
    std::vector<double> block_s;
    for (int i = 0; i < count; ++i) {
      const Timed timed = stopwatch.undisturbed(operands, body.run, plant);
      block_s.push_back(timed.elapsed.count());
      time_us.push_back(Microseconds(timed.elapsed).count());
      planted.push_back(100 * timed.planted / (timed.elapsed - timed.planted));
    }
    const double after_s = time_control();
    const double control_s = (before_s + after_s) / 2;
    for (const double sample_s : block_s) {
      utilisation.push_back(work / sample_s / (control->work() / control_s));
    }
    before_s = after_s;
  }

  Measurement out;
  const std::string variance_class =
      std::string("cpu/") + (body.traffic.bound == Bound::kMemory ? "memory/" : "compute/") +
      length_class(body.expected);
  out.metrics["time"] = {median(time_us), "us", Better::kLower, false, variance_class};
  out.metrics["utilisation"] = {median(utilisation), "ratio", Better::kHigher, true,
                                variance_class};
  constexpr double kLeastSpread =
      1e-4;  // of samples that are all alike; recorded values are above 0
  out.metrics[kSampleSpread] = {std::max(kLeastSpread, relative_interquartile_range(utilisation)),
                                "ratio", Better::kLower, false, variance_class};
  out.protocol = {{"samples", std::int64_t{samples}},
                  {"block", std::int64_t{in_block}},
                  {"threads", std::int64_t{1}},
                  {"flush", flush_.name()},
                  {"control", control->name()}};
  out.ceilings[control->ceiling()] = control->work() / (median(control_us) * 1e-6) / 1e9;
  out.samples = {{"time_us", time_us}, {"control_us", control_us}, {"utilisation", utilisation}};
  if (plant) {
    out.planted_percent = median(planted);
  }
  out.noisy = stopwatch.noisy();
  out.discarded = stopwatch.discarded();
  return out;
}

std::map<std::string, double> CpuSampler::ceilings() {
  std::map<std::string, double> out;
  for (const Bound bound : {Bound::kMemory, Bound::kCompute}) {
    const auto control = make_control_(bound);
    const auto operands = control->operands();
    constexpr int kRuns = 20;
    Stopwatch stopwatch(protocol_, clock_, flush_, kRuns / 2);
    std::vector<double> elapsed_s;
    control->run(1);
    for (int i = 0; i < kRuns; ++i) {
      elapsed_s.push_back(
          stopwatch.undisturbed(operands, [&control] { control->run(1); }, {}).elapsed.count());
    }
    out[control->ceiling()] = control->work() / median(elapsed_s) / 1e9;
  }
  return out;
}

}  // namespace perfgate
