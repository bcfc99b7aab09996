#include "perfgate/measure/measurement_plan.h"

#include <algorithm>

namespace perfgate {
namespace {

// How many of this length fit.
int how_many_fit(Seconds into, Seconds one) {
  return static_cast<int>(into / std::max(one, Seconds(1e-6)));
}

}  // namespace

Seconds MeasurementPlan::length(Seconds expected) const {
  constexpr int kPreparing = 1;
  constexpr int kUnblocked = 2;  // before it is clear that a body cannot be queued whole
  const int traced = traced_runs + (first_trace_run ? 1 : 0);
  const int runs = kPreparing + kUnblocked + warm_up_runs + samples + traced;
  return longest_warm_up + runs * (1 + pause) * expected;
}

Seconds MeasurementPlan::patience(Seconds expected) const {
  constexpr Seconds kAtLeast(10);  // chosen: five runs of 20 s fit into a worker's 120 s
  constexpr double kTimesThePlan = 10;
  return std::max(kAtLeast, kTimesThePlan * length(expected));
}

MeasurementPlan plan_for(const CpuProtocol& protocol, Seconds expected) {
  MeasurementPlan out;
  out.very_long = expected > protocol.very_long;
  const int usual = std::clamp(how_many_fit(protocol.sampling, expected), protocol.min_samples,
                               protocol.max_samples);
  out.samples = std::clamp(how_many_fit(protocol.longest_sampling, expected), 1, usual);
  out.samples_a_block = std::clamp(how_many_fit(protocol.block, expected), 1, out.samples);
  if (!out.very_long) {
    out.warm_up_runs =
        std::clamp(how_many_fit(protocol.warm_up, expected), protocol.min_warm_up_runs,
                   std::max(out.samples, protocol.min_warm_up_runs));
  }
  out.traced_runs = 0;
  return out;
}

MeasurementPlan plan_for(const CudaProtocol& protocol, Seconds expected) {
  const auto fit = [&protocol](Seconds into, Seconds sample) {
    return how_many_fit(into, sample + protocol.overhead);
  };
  MeasurementPlan out;
  out.very_long = expected > protocol.very_long;
  out.pause = expected <= protocol.longest_paused ? protocol.pause : 0;
  const int usual = std::clamp(fit(protocol.sampling, (1 + out.pause) * expected),
                               protocol.min_samples, protocol.max_samples);
  const int of_long =
      std::max(protocol.fewest_samples, std::min(usual, fit(protocol.longest_sampling, expected)));
  out.samples = std::clamp(fit(protocol.longest_of_all, expected), 1, of_long);
  if (!out.very_long) {
    out.warm_up = protocol.warm_up;
    out.longest_warm_up = protocol.max_warm_up;
  }
  // As if there were a pause behind each.
  out.traced_runs = std::clamp(fit(protocol.sampling, (1 + protocol.pause) * expected),
                               protocol.min_trace_runs, protocol.max_trace_runs);
  out.first_trace_run = !out.very_long;
  return out;
}

HostPassPlan host_pass_plan(const CudaProtocol& protocol, Seconds host, Seconds device,
                            double launches) {
  HostPassPlan out;
  const int queued =
      std::max(1, static_cast<int>(protocol.max_queued_launches / std::max(1.0, launches)));
  out.runs = std::clamp(how_many_fit(protocol.host_control, host), 1, queued);
  const Seconds one = out.runs * (host + device) + protocol.overhead + protocol.host_control;
  // The first sample has a control before it as well.
  const int fitting = how_many_fit(protocol.host_pass - protocol.host_control, one);
  out.samples = fitting < protocol.min_host_samples ? 0 : fitting;
  return out;
}

}  // namespace perfgate
