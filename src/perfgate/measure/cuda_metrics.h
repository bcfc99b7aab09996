#pragma once
// What the samples of a body on a GPU say: from times, clocks and traced kernels to measurements.
// Pure.

#include <map>
#include <vector>

#include "perfgate/measure/kernel_trace.h"
#include "perfgate/measure/sampler.h"

namespace perfgate {

/// One entry a sample.
struct CudaSeries {
  std::vector<double> time_us;  ///< between the events
  std::vector<double> host_us;  ///< that queueing the body took
  /// Of the host control, mean of right before and right after the sample; empty where the host's
  /// time is not judged beside the device's.
  std::vector<double> host_control_us;
  std::vector<double> clock_mhz;  ///< SM clock, mean over the body
  std::vector<double> alone_us;   ///< of the body without the injected work, taken in between
};

/// `floor_us`: what two events take by themselves. `queued_whole`: whether the body was queued
/// before it ran. Throws SystemError where the body took no longer than the floor.
std::map<Quantity, Measurement> cuda_metrics(const CudaSeries& series, const Body& body,
                                             double floor_us, bool queued_whole,
                                             const CeilingRates& ceilings);

/// Busy time, gaps and launches; none where no kernel ran.
std::map<Quantity, Measurement> trace_metrics(const TraceSummary& trace, const Body& body);

/// By how much the injected work slowed the body, in percent of its own time.
double injected_percent(const CudaSeries& series, double floor_us);

}  // namespace perfgate
