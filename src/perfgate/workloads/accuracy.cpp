#include "perfgate/workloads/accuracy.h"

#include <ATen/ops/abs.h>
#include <ATen/ops/add.h>
#include <ATen/ops/argmax.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/div.h>
#include <ATen/ops/dot.h>
#include <ATen/ops/flatten.h>
#include <ATen/ops/le.h>
#include <ATen/ops/logical_not.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/sub.h>
#include <ATen/ops/sum.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <tuple>
#include <utility>

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

// Not a number is worse than any.
bool is_worse(double a, double b) { return std::isnan(a) ? !std::isnan(b) : a > b; }

double worse(double a, double b) { return is_worse(a, b) ? a : b; }

struct Piece {
  Accuracy accuracy;
  std::int64_t worst = 0;  ///< its place in the piece
  double excess = 0;       ///< of the worst element: its error over what is allowed
};

double root_mean_square(const at::Tensor& values) {
  return std::sqrt(number(values.dot(values)) / static_cast<double>(values.numel()));
}

// The largest of the values, and its place; what is not a number is larger than any.
std::pair<double, std::int64_t> largest_of(const at::Tensor& values) {
  const auto place = values.argmax().item<std::int64_t>();
  return {number(values[place]), place};
}

// Few different operators, since a GPU loads each for the first time in every process, for 3 to
// 30 ms: no maximum but by its place, no product but as the factor of a sum. What only a wrong
// output needs is left until one is.
Piece compare_piece(const at::Tensor& actual, const at::Tensor& expected,
                    const Tolerance& tolerance) {
  constexpr double kNotZero = 1e-150;  // below any float, and what it divides does not overflow
  const at::Tensor got = actual.to(at::kDouble);
  const at::Tensor want = expected.to(got.device(), at::kDouble);
  const at::Tensor size = want.abs();
  const at::Tensor error = got.sub(want).abs();
  const at::Tensor least = at::scalar_tensor(tolerance.absolute + kNotZero, at::kDouble);
  const at::Tensor allowed = at::add(least, size, tolerance.relative);

  Piece out;
  std::tie(out.excess, out.worst) = largest_of(error.div(allowed));
  if (!(out.excess <= 1)) {
    out.accuracy.wrong_elements = error.div(allowed).le(1).logical_not().sum().item<std::int64_t>();
  }
  out.accuracy.max_absolute = largest_of(error).first;
  out.accuracy.max_relative = largest_of(error.div(size.add(kNotZero))).first;
  out.accuracy.worst_actual = number(got[out.worst]);
  out.accuracy.worst_expected = number(want[out.worst]);
  out.accuracy.allowed_at_worst =
      tolerance.absolute + tolerance.relative * std::abs(out.accuracy.worst_expected);
  return out;
}

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

Accuracy compare(const at::Tensor& actual, const at::Tensor& expected, const Tolerance& tolerance,
                 std::int64_t piece) {
  if (actual.is_nested()) {
    return compare(at::cat(actual.unbind()), expected, tolerance, piece);
  }
  if (actual.sizes() != expected.sizes()) {
    throw std::invalid_argument("the output's shape differs from the reference's");
  }
  Accuracy out;
  out.elements = expected.numel();
  if (out.elements == 0) {
    return out;
  }
  const at::Tensor got = actual.detach().flatten();
  const at::Tensor want = expected.flatten();
  const Tolerance allowed = {
      tolerance.absolute + (tolerance.of_rms > 0 ? tolerance.of_rms * root_mean_square(want) : 0),
      tolerance.relative};
  double worst_excess = -1;
  for (std::int64_t begin = 0; begin < out.elements; begin += piece) {
    const auto length = std::min(piece, out.elements - begin);
    const auto [part, worst, excess] =
        compare_piece(got.narrow(0, begin, length), want.narrow(0, begin, length), allowed);
    out.wrong_elements += part.wrong_elements;
    out.max_absolute = worse(part.max_absolute, out.max_absolute);
    out.max_relative = worse(part.max_relative, out.max_relative);
    if (is_worse(excess, worst_excess)) {
      worst_excess = excess;
      out.worst_index = index_of(begin + worst, expected.sizes());
      out.worst_actual = part.worst_actual;
      out.worst_expected = part.worst_expected;
      out.allowed_at_worst = part.allowed_at_worst;
    }
  }
  return out;
}

}  // namespace perfgate
