#pragma once

#include <vector>

#include "perfgate/workloads/case.h"

namespace perfgate::gpt_fast {

/// A mixture of experts' linear layer: experts 3 and 5 of W[8, D, D] times x[D] in bf16, W stored
/// as int8 or bf16. Moves 2*D*D*itemsize bytes.
std::vector<Case> gather_gemv(at::DeviceType device);

}  // namespace perfgate::gpt_fast
