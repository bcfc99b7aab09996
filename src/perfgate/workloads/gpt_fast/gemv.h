#pragma once

#include <vector>

#include "perfgate/workloads/case.h"

namespace perfgate::gpt_fast {

/// One token's linear layer: W[D, D] times x[D] in bf16, W stored as int8 or bf16 and cast on the
/// fly. Moves D*D*itemsize bytes; a good kernel runs at memory bandwidth.
std::vector<Case> gemv(at::DeviceType device);

}  // namespace perfgate::gpt_fast
