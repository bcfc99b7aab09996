#pragma once

#include <vector>

#include "perfgate/workloads/case.h"

namespace perfgate::ceilings {

/// What a GPU can do at best, measured like any other case: reading and copying DRAM, the tensor
/// cores in bf16, fp16 and int8, fp32 multiply-adds, and what two events and a launch cost by
/// themselves. Their bodies are kernels of
/// our own. None on a CPU, whose controls run beside every sample.
std::vector<Case> all(at::DeviceType device);

}  // namespace perfgate::ceilings
