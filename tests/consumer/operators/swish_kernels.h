#pragma once
// swish on a GPU: fp32, `count` elements, on the stream.

#include <cuda_runtime_api.h>

#include <cstdint>

namespace consumer {

void launch_swish(const float* x, float* y, std::int64_t count, cudaStream_t stream);
void launch_swish_backward(const float* dy, const float* x, float* dx, std::int64_t count,
                           cudaStream_t stream);

}  // namespace consumer
