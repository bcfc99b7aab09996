#pragma once
// A kernel of CUDA alone: no tensor, no operator.

#include <cuda_runtime_api.h>

#include <cstdint>

namespace consumer {

/// z = a * x + y, `count` elements, on the stream.
void launch_saxpy(float a, const float* x, const float* y, float* z, std::int64_t count,
                  cudaStream_t stream);

}  // namespace consumer
