#pragma once
// Which tuning of a compiled package a baseline keeps: the one that its cases' revisions in force
// were measured with. Pure.

#include "perfgate/baseline/baseline.h"
#include "perfgate/baseline/record.h"

namespace perfgate {

/// Keeps what the session's package was tuned to. Where the session did not change its case, and
/// LibTorch and Triton are those of what is recorded, a kernel's recorded configuration stays: what
/// another search found no slower is no reason to compile something else from now on. Kernels that
/// the package does not have any more are forgotten.
void keep_tunings(const CaseSession& session, Baseline& baseline);

}  // namespace perfgate
