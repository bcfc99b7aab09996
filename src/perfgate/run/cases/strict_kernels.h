#pragma once
// What --strict_kernels asks for: a case fails that runs other kernels than recorded, however fast.

#include "perfgate/baseline/baseline.h"
#include "perfgate/gate/outcome.h"

namespace perfgate {

/// OTHER_KERNELS of what would pass by others than recorded, and MACHINE_INVALID of what cannot be
/// compared; any other outcome stays as it is. The case of a judged outcome is in the baseline.
void hold_to_recorded_kernels(Outcome& outcome, const Baseline& baseline);

}  // namespace perfgate
