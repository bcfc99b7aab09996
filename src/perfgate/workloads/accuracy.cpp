#include "perfgate/workloads/accuracy.h"

#include <ATen/ops/abs.h>
#include <ATen/ops/add.h>
#include <ATen/ops/argmax.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/div.h>
#include <ATen/ops/eq.h>
#include <ATen/ops/flatten.h>
#include <ATen/ops/gt.h>
#include <ATen/ops/isnan.h>
#include <ATen/ops/le.h>
#include <ATen/ops/logical_not.h>
#include <ATen/ops/masked_fill.h>
#include <ATen/ops/max.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/nan_to_num.h>
#include <ATen/ops/sub.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/where.h>

#include <cmath>
#include <limits>
#include <stdexcept>

namespace perfgate {
namespace {

std::vector<std::int64_t> index_of(std::int64_t flat, at::IntArrayRef sizes) {
  std::vector<std::int64_t> out(sizes.size());
  for (std::size_t axis = sizes.size(); axis-- > 0;) {
    out[axis] = flat % sizes[axis];
    flat /= sizes[axis];
  }
  return out;
}

double number(const at::Tensor& scalar) { return scalar.item<double>(); }

}  // namespace

double unit_roundoff(at::ScalarType dtype) {
  switch (dtype) {
    case at::kBFloat16:
      return std::ldexp(1, -8);
    case at::kHalf:
      return std::ldexp(1, -11);
    case at::kFloat:
      return std::ldexp(1, -24);
    default:
      throw std::invalid_argument("no unit roundoff for this dtype");
  }
}

Tolerance dot_product_tolerance(at::ScalarType output, double length) {
  return {unit_roundoff(at::kFloat) * std::sqrt(length) * length, unit_roundoff(output)};
}

Accuracy compare(const at::Tensor& actual, const at::Tensor& expected, const Tolerance& tolerance) {
  if (actual.is_nested()) {
    return compare(at::cat(actual.unbind()), expected, tolerance);
  }
  if (actual.sizes() != expected.sizes()) {
    throw std::invalid_argument("the output's shape differs from the reference's");
  }
  Accuracy out;
  out.elements = expected.numel();
  if (out.elements == 0) {
    return out;
  }
  const at::Tensor got = actual.detach().to(at::kDouble).flatten();
  const at::Tensor want = expected.to(got.device(), at::kDouble).flatten();
  const at::Tensor size = want.abs();
  const at::Tensor error = got.sub(want).abs();
  const at::Tensor allowed = size.mul(tolerance.relative).add(tolerance.absolute);
  // A NaN is no error at all to most comparisons; here it must be the largest.
  const at::Tensor excess = error.div(allowed).nan_to_num(0).where(allowed.gt(0), error);
  const at::Tensor ranked =
      excess.masked_fill(error.isnan(), std::numeric_limits<double>::infinity());

  out.wrong_elements = error.le(allowed).logical_not().sum().item<std::int64_t>();
  out.max_absolute = number(error.max());
  out.max_relative = number(error.div(size).masked_fill(want.eq(0), 0).max());
  const auto worst = ranked.argmax().item<std::int64_t>();
  out.worst_index = index_of(worst, expected.sizes());
  out.worst_actual = number(got[worst]);
  out.worst_expected = number(want[worst]);
  out.allowed_at_worst = number(allowed[worst]);
  return out;
}

}  // namespace perfgate
