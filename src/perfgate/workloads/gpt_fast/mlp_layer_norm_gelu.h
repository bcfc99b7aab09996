#pragma once

#include <vector>

#include "perfgate/workloads/case.h"

namespace perfgate::gpt_fast {

/// Linear(D, 14336), LayerNorm, Linear(14336, D), LayerNorm on one bf16 vector x[D]; despite its
/// name there is no GELU. 4*D*14336 operations; the two weight matrices are what moves.
std::vector<Case> mlp_layer_norm_gelu(at::DeviceType device);

}  // namespace perfgate::gpt_fast
