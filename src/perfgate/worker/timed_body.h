#pragma once
// A prepared phase as a sampler takes it.

#include "perfgate/workloads/case.h"
#include "perfgate/workloads/prepared.h"

namespace perfgate {

/// Borrows all three. `outputs` receives what each run returns: the last ones are freed first, so
/// that every sample finds the same memory to write into.
Body timed_body(const Work& work, const PreparedPhase& prepared, at::DeviceType device,
                Outputs& outputs);

}  // namespace perfgate
