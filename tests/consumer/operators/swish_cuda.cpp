// swish's implementation for CUDA. It asks LibTorch for the stream by calls that every build has,
// so that it compiles without LibTorch's own CUDA headers.

#include <ATen/DeviceAccelerator.h>
#include <ATen/ops/empty_like.h>
#include <torch/library.h>

#include "operators/swish_kernels.h"

namespace consumer {
namespace {

cudaStream_t stream_of(const at::Tensor& tensor) {
  return static_cast<cudaStream_t>(
      at::accelerator::getCurrentStream(tensor.get_device()).native_handle());
}

at::Tensor forward_on_gpu(const at::Tensor& x) {
  auto out = at::empty_like(x);
  launch_swish(x.const_data_ptr<float>(), out.mutable_data_ptr<float>(), x.numel(), stream_of(x));
  return out;
}

at::Tensor backward_on_gpu(const at::Tensor& gradient, const at::Tensor& x) {
  auto out = at::empty_like(x);
  launch_swish_backward(gradient.const_data_ptr<float>(), x.const_data_ptr<float>(),
                        out.mutable_data_ptr<float>(), x.numel(), stream_of(x));
  return out;
}

}  // namespace

TORCH_LIBRARY_IMPL(consumer, CUDA, library) {
  library.impl("swish_forward", forward_on_gpu);
  library.impl("swish_backward", backward_on_gpu);
}

}  // namespace consumer
