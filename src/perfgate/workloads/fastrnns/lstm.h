#pragma once
// The LSTM runners of PyTorch's fastrnns benchmark, forward and backward, as phases of one case.

#include <vector>

#include "perfgate/workloads/case.h"

namespace perfgate::fastrnns {

/// cudnn (GPUs alone), aten, the scripted ones and py, in fp32. Scripted ones once for each fuser
/// and executor; TensorExpr and profiling, LibTorch's defaults, in a night. compiled has forward
/// alone.
std::vector<Case> lstm(at::DeviceType device);

}  // namespace perfgate::fastrnns
