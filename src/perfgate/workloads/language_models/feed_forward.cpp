#include "perfgate/workloads/language_models/feed_forward.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/silu.h>

namespace perfgate::language_models {

at::Tensor FeedForward::operator()(const at::Tensor& x) const {
  return down(at::silu(gate(x)) * up(x));
}

FeedForward exact(const FeedForward& network) {
  return {exact(network.gate), exact(network.up), exact(network.down)};
}

}  // namespace perfgate::language_models
