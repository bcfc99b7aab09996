#pragma once
// What a device can do at best, which the utilisation of other cases is a share of.

#include <vector>

#include "perfgate/workloads/case.h"

namespace perfgate::ceilings {

/// What a GPU can do at best, measured like any other case: reading and copying DRAM, the tensor
/// cores in bf16, fp16 and int8, fp32 multiply-adds, and what two events and a launch cost by
/// themselves. Their bodies are kernels of our own. None on a CPU, whose controls run beside every
/// sample, and in a build without CUDA.
std::vector<Case> all(at::DeviceType device);

/// The cases by which a suite of these cases measures what its device can do: those of its own that
/// tell a ceiling, and of `all` those that tell one which a utilisation of the suite is a share of
/// and which none of its own tells.
std::vector<Case> named_by(const std::vector<Case>& cases, at::DeviceType device);

}  // namespace perfgate::ceilings
