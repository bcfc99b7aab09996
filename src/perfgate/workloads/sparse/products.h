#pragma once
// Dense against sparse: the same product with a matrix of which every second value is zero, once as
// if it were dense and once by each library that can leave the zeros out. On GPUs 2:4 sparsity by
// cuSPARSELt and CUTLASS; on CPUs LibTorch's CSR and BSR. The dense product is a case of its own,
// so that a regression of either side shows, and what the others are compared with.

#include <vector>

#include "perfgate/workloads/case.h"

namespace perfgate::sparse {

/// A B: A[m, k] sparse, B[k, n] dense, row-major as in the published benchmark, so that cuSPARSELt
/// refuses fp32; of int8, which it takes no other way, column-major. int8 sums in int32.
std::vector<Case> tensor(at::DeviceType device);

/// x W^T + bias as a Linear layer has it: W[m, k] sparse, x[n, k], bias[m]. GPUs only.
std::vector<Case> linear(at::DeviceType device);

/// What the host takes to call cuSPARSELt, which decides whether sparsity pays for short products.
/// GPUs only.
std::vector<Case> host_time(at::DeviceType device);

}  // namespace perfgate::sparse
