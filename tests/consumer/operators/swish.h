#pragma once
// swish(x) = x / (1 + exp(-x)), an operator of LibTorch's dispatcher with a gradient of its own.

#include <ATen/core/Tensor.h>

namespace consumer {

/// Of a contiguous fp32 tensor; autograd knows its gradient.
at::Tensor swish(const at::Tensor& x);

}  // namespace consumer
