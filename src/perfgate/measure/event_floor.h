#pragma once
// What two events around a body take by themselves, and what has to be done before either is
// measured.

#include <functional>

#include "perfgate/measure/gpu.h"
#include "perfgate/measure/measurement_plan.h"
#include "perfgate/measure/sample_taker.h"

namespace perfgate {

/// Runs a body from an idle GPU's clocks on, as the plan says. The clock behind it tells when that
/// is over: two in a row differ by no more than `steady_clock` (relative). The one under the body
/// goes on answering to what it draws; preconditioning brings that to one level (see CudaSampler).
void warm_up(const MeasurementPlan& plan, double steady_clock, Gpu& gpu, SampleTaker& taker,
             const std::function<void()>& run);

/// The time between two events with an empty kernel between them: 10 % trimmed mean of `samples`.
Seconds event_floor(const CudaProtocol& protocol, Gpu& gpu, int samples);

}  // namespace perfgate
