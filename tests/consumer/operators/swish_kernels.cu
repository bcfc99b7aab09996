#include "operators/swish_kernels.h"

#include <algorithm>

namespace consumer {
namespace {

constexpr int kThreads = 256;

__global__ void forward(const float* x, float* y, std::int64_t count) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i < count) {
    y[i] = x[i] / (1 + __expf(-x[i]));
  }
}

__global__ void backward(const float* dy, const float* x, float* dx, std::int64_t count) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i < count) {
    const float sigmoid = 1 / (1 + __expf(-x[i]));
    dx[i] = dy[i] * sigmoid * (1 + x[i] * (1 - sigmoid));
  }
}

// What is done once more where somebody wants to see a slowdown: of the elements, at most all.
std::int64_t extra(std::int64_t count) {
  return std::min(count, count * SWISH_EXTRA_PERCENT / 100);
}

unsigned blocks(std::int64_t count) { return static_cast<unsigned>((count + kThreads - 1) / kThreads); }

}  // namespace

void launch_swish(const float* x, float* y, std::int64_t count, cudaStream_t stream) {
  forward<<<blocks(count), kThreads, 0, stream>>>(x, y, count);
  if (extra(count) > 0) {
    forward<<<blocks(extra(count)), kThreads, 0, stream>>>(x, y, extra(count));
  }
}

void launch_swish_backward(const float* dy, const float* x, float* dx, std::int64_t count,
                           cudaStream_t stream) {
  backward<<<blocks(count), kThreads, 0, stream>>>(dy, x, dx, count);
  if (extra(count) > 0) {
    backward<<<blocks(extra(count)), kThreads, 0, stream>>>(dy, x, dx, extra(count));
  }
}

}  // namespace consumer
