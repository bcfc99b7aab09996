#pragma once
// What the host takes to queue a body, measured by itself, where it may decide how long a program
// waits: an operator of 8 us that takes the host 40 us runs 25,000 times a second, whatever its
// kernel does. Behind the blocking kernel of a device's samples that is not to be seen. So behind
// all that is measured of the device, the process keeps to one core, and each sample of the host
// stands between two of its control. A short body is queued many times a sample: behind its control
// a single run finds cold caches, and a product of 12 us took 17 to 84 us (eight processes on an
// H200, 2026-11-27). A pass of its own, or what is recorded of the device would
// have to be recorded anew.

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "perfgate/measure/gpu.h"
#include "perfgate/measure/measurement_plan.h"
#include "perfgate/measure/sampler.h"

namespace perfgate {

/// How this process keeps to one core for a while.
struct OneCore {
  std::function<void()> keep;     ///< this thread, and those that it starts from now on
  std::function<void()> release;  ///< it may run again where it could before
};

/// One entry a sample.
struct HostSeries {
  std::vector<double> enqueue_us;
  std::vector<double> control_us;  ///< mean of right before and right after the sample
};

/// Whether a body that takes the host and the device so long gets a pass: the host takes at least
/// the protocol's share of what the device does. Half, so that one whose host does decide gets one
/// in every process, also where the host takes somewhat less tonight.
bool host_may_decide(const CudaProtocol& protocol, double host_us, double device_us);

/// Takes samples of what the host takes to queue the body, which is queued whole, a run. A body
/// that something comes before has one run a sample. The process runs where it did before when this
/// returns, or throws what the body or the GPU threw. Nothing where the body could not be queued
/// whole this time: then the host waited for the device.
std::optional<HostSeries> take_host_pass(Gpu& gpu, const OneCore& one_core, const Body& body,
                                         HostPassPlan plan);

/// What the series says. `device_us`: what the device takes; the time over the control's is
/// proposed to be judged where the host takes at least as long.
std::map<Quantity, Measurement> host_pass_metrics(const HostSeries& series, double device_us);

/// How a pass is made, for the protocol (kHostPass).
std::string host_pass_text(const CudaProtocol& protocol);

}  // namespace perfgate
