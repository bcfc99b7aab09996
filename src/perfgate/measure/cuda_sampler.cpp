#include "perfgate/measure/cuda_sampler.h"

#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "perfgate/measure/cuda_injection.h"
#include "perfgate/measure/cuda_metrics.h"
#include "perfgate/measure/event_floor.h"
#include "perfgate/measure/host_control.h"
#include "perfgate/measure/sample_taker.h"
#include "perfgate/stats/descriptive.h"

namespace perfgate {
namespace {

const Ceiling kFloor{"event_floor", Unit::kMicroseconds};

// Executions of a body that runs as it does while it is timed, but under the trace.
std::vector<std::vector<Activity>> trace_of(SampleTaker& taker, KernelTracer& tracer,
                                            const std::function<void()>& run,
                                            const MeasurementPlan& plan, Seconds patience) {
  std::vector<std::vector<Activity>> executions;
  const Tracing tracing(tracer);
  Seconds spent{0};
  if (plan.first_trace_run) {
    taker.take(run);
    tracer.collect();
  }
  for (int i = 0; i < plan.traced_runs && spent < patience; ++i) {
    spent += taker.take(run).elapsed;
    executions.push_back(body_of(tracer.collect(), kKernelBeforeBody, kKernelAfterBody));
  }
  return executions;
}

// `alone`: the body without its injected work, where it has one. `control`: where the host is
// measured beside it.
CudaSeries series_of(SampleTaker& taker, const std::function<void()>& run,
                     const std::function<void()>& alone, int samples, Seconds patience,
                     HostControl* control) {
  CudaSeries out;
  Seconds spent{0};
  Seconds control_before = control != nullptr ? control->measure() : Seconds(0);
  for (int i = 0; i < samples && spent < patience; ++i) {
    const Sample sample = taker.take(run);
    spent += sample.elapsed;
    out.time_us.push_back(Microseconds(sample.elapsed).count());
    out.host_us.push_back(Microseconds(sample.host).count());
    out.clock_mhz.push_back(sample.body_clock_mhz);
    if (control != nullptr) {
      const Seconds control_after = control->measure();
      out.host_control_us.push_back(Microseconds((control_before + control_after) / 2).count());
      control_before = control_after;
    }
    if (alone) {
      out.alone_us.push_back(Microseconds(taker.take(alone).elapsed).count());
    }
  }
  return out;
}

std::string precondition_text(Seconds length) {
  return std::to_string(std::lround(1e3 * length.count())) + " ms of int8 tensor cores";
}

std::string pause_text(double bodies) {
  return bodies > 0 ? std::to_string(std::lround(bodies)) + " bodies" : "none";
}

}  // namespace

void CudaSampler::precondition(Bound bound) {
  if (bound == Bound::kCompute && !preconditioned_) {
    preconditioned_ = gpu_.precondition(protocol_.precondition);
  }
}

MeasuredBody CudaSampler::measure(const Body& body, const Conditions& conditions) {
  constexpr int kInjectionSamples = 20;
  const MeasurementPlan plan = plan_for(protocol_, body.expected);
  const Seconds patience = plan.patience(body.expected);
  // Of this process, not of the run: floors differ by 2-3 % from process to process, and a body
  // shares most of that difference.
  if (!floor_) {
    floor_ = event_floor(protocol_, gpu_, protocol_.floor_samples);
  }
  const double floor_us = Microseconds(*floor_).count();
  SampleTaker taker(gpu_, plan.pause, body.before_each);
  warm_up(plan, protocol_.steady_clock, gpu_, taker, body.run);

  const bool injected = conditions.inject_percent > 0;
  const auto run =
      injected ? with_injection(taker, gpu_, body.run,
                                {conditions.inject_percent, body.traffic.bound, body.expected,
                                 *floor_, std::min(kInjectionSamples, plan.samples)})
               : body.run;
  std::optional<HostControl> control;
  if (judges_host_beside_device(body.judged)) {
    control.emplace(gpu_);
  }
  const CudaSeries series = series_of(taker, run, injected ? body.run : std::function<void()>(),
                                      plan.samples, patience, control ? &*control : nullptr);

  MeasuredBody out;
  out.metrics = cuda_metrics(series, body, floor_us, taker.queued_whole(), conditions.ceilings);
  if (tracer_ == nullptr) {
    out.report.trace = NoTrace{why_no_tracer_};
  } else {
    try {
      auto executions = trace_of(taker, *tracer_, run, plan, patience);
      TraceSummary trace = summarise(executions);
      out.metrics.merge(trace_metrics(trace, body));
      out.report.trace = std::move(trace.kernels);
      out.execution = std::move(executions.back());
    } catch (const TraceError& error) {  // under a profiler, say: the times are good without
      out.report.trace = NoTrace{error.problem()};
    }
  }
  out.report.ceilings = {{kFloor, floor_us}};
  out.report.protocol = {
      {"samples", std::int64_t{plan.samples}},
      {"pause", pause_text(plan.pause)},
      {"flush", "read"},
      {"statistic", plan.samples < 10 ? "mean without the extremes" : "10 % trimmed mean"},
      {kQueuedWhole, taker.queued_whole()}};
  if (body.traffic.bound == Bound::kCompute && preconditioned_) {
    out.report.protocol["precondition"] = precondition_text(protocol_.precondition);
  }
  out.report.samples = {
      {"time_us", series.time_us}, {"host_us", series.host_us}, {"sm_clock_mhz", series.clock_mhz}};
  if (control) {
    out.report.protocol["host_control"] = HostControl::kName;
    out.report.samples["host_control_us"] = series.host_control_us;
  }
  if (injected) {
    out.report.injected_percent = injected_percent(series, floor_us);
  }
  out.report.discarded = taker.discarded();
  add_host_pass(body, series, taker.queued_whole(), out);
  return out;
}

// Of bodies whose device time alone is judged: of others the host is judged already, or is part of
// what is read. Without injected work, which the host would have to queue as well.
void CudaSampler::add_host_pass(const Body& body, const CudaSeries& series, bool queued_whole,
                                MeasuredBody& measured) {
  if (!one_core_ || body.judged != Judged::kDeviceTime || !queued_whole) {
    return;
  }
  const double host_us = median(series.host_us);
  const double device_us = measured.metrics.at(Quantity::kNetTime).value;
  if (!host_may_decide(protocol_, host_us, device_us)) {
    return;
  }
  const auto traced = measured.metrics.find(Quantity::kLaunches);
  const double launches = traced == measured.metrics.end() ? 1 : traced->second.value;
  const HostPassPlan plan =
      host_pass_plan(protocol_, Microseconds(host_us), Microseconds(device_us), launches);
  if (plan.samples == 0) {
    return;
  }
  const auto host = take_host_pass(gpu_, *one_core_, body, plan);
  if (!host) {
    return;
  }
  measured.metrics.merge(host_pass_metrics(*host, device_us));
  measured.report.protocol[kHostPass] = host_pass_text(protocol_);
  measured.report.samples["enqueue_us"] = host->enqueue_us;
  measured.report.samples["host_control_us"] = host->control_us;
}

CeilingRates CudaSampler::ceilings() {
  constexpr int kSamples = 2000;
  floor_ = event_floor(protocol_, gpu_, kSamples);
  return {{kFloor, Microseconds(*floor_).count()}};
}

}  // namespace perfgate
