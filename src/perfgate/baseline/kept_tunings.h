#pragma once
// Which tuning of a compiled package a baseline keeps: the one that its cases' revisions in force
// were measured with. Pure.

#include "perfgate/baseline/baseline.h"

namespace perfgate {

/// Keeps what packages were tuned to when their case was measured. Where that did not change the
/// case, and LibTorch and Triton are those of what is recorded, a kernel's recorded configuration
/// stays: what another search found no slower is no reason to compile something else from now on.
/// Kernels that a package does not have any more are forgotten.
void keep_tunings(const PackageTunings& tunings, bool changed, Baseline& baseline);

}  // namespace perfgate
