#pragma once
// LSTMs over sequences of different lengths.

#include <vector>

#include "perfgate/workloads/case.h"

namespace perfgate::fastrnns {

/// vl_cudnn (on CPUs vl_aten): packed, by LibTorch's operator. vl_py and vl_jit: each sequence by
/// itself, cell by cell, in C++ and in TorchScript; on GPUs, where vl_py takes seconds a run,
/// only where they are asked for.
std::vector<Case> lstm_variable(at::DeviceType device);

}  // namespace perfgate::fastrnns
