#include "perfgate/workloads/language_models/rotary.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cos.h>
#include <ATen/ops/outer.h>
#include <ATen/ops/pow.h>
#include <ATen/ops/sin.h>
#include <ATen/ops/stack.h>

namespace perfgate::language_models {

at::Tensor rotary_table(std::int64_t positions, std::int64_t head_width, double base,
                        at::ScalarType dtype, at::Device device) {
  const auto exponents =
      at::arange(0, head_width, 2, at::kDouble) / static_cast<double>(head_width);
  const auto angles = at::outer(at::arange(positions, at::kDouble), at::pow(base, -exponents));
  return at::stack({angles.cos(), angles.sin()}, -1).to(device, dtype);
}

at::Tensor rotate(const at::Tensor& x, const at::Tensor& angles) {
  const auto wide = x.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
  const auto pairs = x.to(wide).unflatten(-1, {-1, 2});  // [tokens, heads, pairs, 2]
  const auto turned_by = angles.to(wide).unsqueeze(1);   // [tokens, 1, pairs, 2]
  const auto cosine = turned_by.select(-1, 0);
  const auto sine = turned_by.select(-1, 1);
  const auto first = pairs.select(-1, 0);
  const auto second = pairs.select(-1, 1);
  return at::stack({first * cosine - second * sine, second * cosine + first * sine}, -1)
      .flatten(-2)
      .to(x.scalar_type());
}

}  // namespace perfgate::language_models
