#pragma once

#include <vector>

#include "perfgate/workloads/case.h"

namespace perfgate::gpt_fast {

/// LayerNorm over the last axis of x[4096, D] in bf16, with bf16 or fp32 ("fp32w") weights.
/// Moves 2*4096*D*itemsize bytes. Eager LibTorch refuses fp32 weights on some devices.
std::vector<Case> layer_norm(at::DeviceType device);

}  // namespace perfgate::gpt_fast
