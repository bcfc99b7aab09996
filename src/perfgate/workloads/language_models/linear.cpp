#include "perfgate/workloads/language_models/linear.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/_weight_int8pack_mm.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/linear.h>

namespace perfgate::language_models {

at::Tensor Linear::operator()(const at::Tensor& x) const {
  if (!scales.defined()) {
    return at::linear(x, weight);
  }
  if (int8pack) {
    return at::_weight_int8pack_mm(x, weight, scales);
  }
  return at::linear(x, weight.to(x.scalar_type())) * scales;
}

Linear chosen_of(const Linear& all, const at::Tensor& which) {
  return {at::index_select(all.weight, 0, which),
          all.scales.defined() ? at::index_select(all.scales, 0, which) : all.scales};
}

Linear exact(const Linear& linear) {
  const at::Tensor weight = linear.weight.to(at::kDouble);
  return {linear.scales.defined() ? weight * linear.scales.to(at::kDouble).unsqueeze(-1) : weight,
          {}};
}

}  // namespace perfgate::language_models
