#include "operators/saxpy.h"

namespace consumer {
namespace {

__global__ void saxpy(float a, const float* x, const float* y, float* z, std::int64_t count) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < count) {
    z[i] = a * x[i] + y[i];
  }
}

}  // namespace

void launch_saxpy(float a, const float* x, const float* y, float* z, std::int64_t count,
                  cudaStream_t stream) {
  constexpr int kThreads = 256;
  saxpy<<<static_cast<unsigned>((count + kThreads - 1) / kThreads), kThreads, 0, stream>>>(a, x, y, z, count);
}

}  // namespace consumer
