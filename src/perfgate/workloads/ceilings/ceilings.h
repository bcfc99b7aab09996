#pragma once

#include <vector>

#include "perfgate/workloads/case.h"

namespace perfgate::ceilings {

/// What a GPU can do at best, measured like any other case: reading and copying DRAM, the bf16
/// tensor cores, and what two events and a launch cost by themselves. Their bodies are kernels of
/// our own. None on a CPU, whose controls run beside every sample.
std::vector<Case> all(at::DeviceType device);

}  // namespace perfgate::ceilings
