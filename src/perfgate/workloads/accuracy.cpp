#include "perfgate/workloads/accuracy.h"

#include <ATen/ops/abs.h>
#include <ATen/ops/add.h>
#include <ATen/ops/all.h>
#include <ATen/ops/any.h>
#include <ATen/ops/argmax.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/dequantize.h>
#include <ATen/ops/div.h>
#include <ATen/ops/dot.h>
#include <ATen/ops/eq.h>
#include <ATen/ops/flatten.h>
#include <ATen/ops/le.h>
#include <ATen/ops/logical_and.h>
#include <ATen/ops/logical_not.h>
#include <ATen/ops/logical_or.h>
#include <ATen/ops/lt.h>
#include <ATen/ops/masked_fill.h>
#include <ATen/ops/ne.h>
#include <ATen/ops/resolve_conj.h>
#include <ATen/ops/resolve_neg.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/sub.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/view_as_real.h>

#include <c10/util/complex.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "perfgate/core/errors.h"
#include "perfgate/workloads/inputs.h"

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
  const at::Tensor sizes = values.is_complex() ? values.abs() : values;
  const double out = std::sqrt(number(sizes.dot(sizes)) / static_cast<double>(values.numel()));
  if (!std::isfinite(out)) {
    throw SystemError(
        "its tolerance is a share of the reference's root mean square, which is no "
        "finite number: everything would be allowed",
        "give it an absolute tolerance, or a reference of finite numbers");
  }
  return out;
}

// The largest of the values, and its place; what is not a number is larger than any.
std::pair<double, std::int64_t> largest_of(const at::Tensor& values) {
  const auto place = values.argmax().item<std::int64_t>();
  return {number(values[place]), place};
}

// The part of a complex number, or the number, by which the two differ most.
std::pair<double, double> shown(const at::Tensor& got, const at::Tensor& want) {
  if (!got.is_complex()) {
    return {number(got), number(want)};
  }
  const auto a = got.item<c10::complex<double>>();
  const auto b = want.item<c10::complex<double>>();
  const bool in_real = !(std::abs(a.imag() - b.imag()) > std::abs(a.real() - b.real()));
  return in_real ? std::pair(a.real(), b.real()) : std::pair(a.imag(), b.imag());
}

// Which elements equal each other, NaN and NaN included; of complex numbers both parts.
at::Tensor same_numbers(const at::Tensor& got, const at::Tensor& want) {
  const auto same = [](const at::Tensor& a, const at::Tensor& b) {
    return a.eq(b).logical_or(a.ne(a).logical_and(b.ne(b)));
  };
  return got.is_complex() ? same(at::view_as_real(got), at::view_as_real(want)).all(-1)
                          : same(got, want);
}

// Few different operators, since a GPU loads each for the first time in every process, for 3 to
// 30 ms: no maximum but by its place, no product but as the factor of a sum. What only a wrong
// output needs is left until one is.
Piece compare_piece(const at::Tensor& actual, const at::Tensor& expected,
                    const Tolerance& tolerance) {
  constexpr double kNotZero = 1e-150;  // below any float, and what it divides does not overflow
  const auto wide = actual.is_complex() ? at::kComplexDouble : at::kDouble;
  const at::Tensor got = actual.to(wide);
  const at::Tensor want = expected.to(got.device(), wide);
  const at::Tensor size = want.abs();
  at::Tensor error = got.sub(want).abs();
  const at::Tensor least = at::scalar_tensor(tolerance.absolute + kNotZero, at::kDouble);
  const at::Tensor allowed = at::add(least, size, tolerance.relative);

  Piece out;
  std::tie(out.excess, out.worst) = largest_of(error.div(allowed));
  if (!(out.excess <= 1)) {
    // Infinity less infinity is NaN, and so is what NaN is compared with: where both are the same,
    // nothing is wrong.
    const at::Tensor same = same_numbers(got, want);
    error = error.masked_fill(same, 0);
    const at::Tensor excess = error.div(allowed).masked_fill(same, 0);
    std::tie(out.excess, out.worst) = largest_of(excess);
    out.accuracy.wrong_elements = excess.le(1).logical_not().sum().item<std::int64_t>();
  }
  out.accuracy.max_absolute = largest_of(error).first;
  out.accuracy.max_relative = largest_of(error.div(size.add(kNotZero))).first;
  std::tie(out.accuracy.worst_actual, out.accuracy.worst_expected) =
      shown(got[out.worst], want[out.worst]);
  out.accuracy.allowed_at_worst = tolerance.absolute + tolerance.relative * number(size[out.worst]);
  return out;
}

// Integers as they are: float64 does not tell all of them apart. Wrong is whatever differs.
Piece compare_integers(const at::Tensor& actual, const at::Tensor& expected) {
  const at::Tensor got = actual.to(at::kLong);
  const at::Tensor want = expected.to(got.device(), at::kLong);
  const at::Tensor error = got.to(at::kDouble).sub(want.to(at::kDouble)).abs();
  const at::Tensor differs = got.ne(want);
  Piece out;
  out.worst = error.add(differs).argmax().item<std::int64_t>();  // also where float64 is too coarse
  out.accuracy.wrong_elements = differs.sum().item<std::int64_t>();
  out.accuracy.max_absolute = number(error[out.worst]);
  out.accuracy.max_relative = largest_of(error.div(want.to(at::kDouble).abs().add(1e-150))).first;
  out.accuracy.worst_actual = number(got[out.worst].to(at::kDouble));
  out.accuracy.worst_expected = number(want[out.worst].to(at::kDouble));
  out.excess = out.accuracy.wrong_elements > 0 ? std::max(1.0, out.accuracy.max_absolute) + 1 : 0;
  return out;
}

// As values that can be subtracted from the reference's.
at::Tensor values_of(const at::Tensor& actual) {
  if (actual.is_quantized()) {
    return actual.dequantize();
  }
  return actual.layout() == at::kStrided ? actual.resolve_conj().resolve_neg() : actual.to_dense();
}

bool is_integral(const at::Tensor& tensor) {
  return at::isIntegralType(tensor.scalar_type(), /*includeBool=*/true);
}

void require_comparable(const at::Tensor& actual, const at::Tensor& expected) {
  const auto refuse = [&](const char* why) {
    throw std::invalid_argument(std::string("the output is in ") +
                                c10::toString(actual.scalar_type()) + " and its reference in " +
                                c10::toString(expected.scalar_type()) + ": " + why);
  };
  const auto wraps = [](const at::Tensor& tensor) {  // where it is compared as int64
    return tensor.scalar_type() == at::kUInt64 && tensor.to(at::kLong).lt(0).any().item<bool>();
  };
  const auto wanted = expected.scalar_type();
  if (wanted != actual.scalar_type() && (wraps(actual) || wraps(expected))) {
    refuse("a number of 2^63 or more has no other form; give a reference in uint64");
  }
  if (actual.is_complex() != expected.is_complex()) {
    refuse("a part of it would not be compared");
  }
  if (wanted != at::kDouble && wanted != at::kComplexDouble &&
      !(is_integral(expected) && is_integral(actual))) {
    refuse("the reference must be in float64, or a kernel is checked against itself");
  }
  if (is_integral(actual) && !is_integral(expected) && actual.element_size() > 4 &&
      largest_of(expected.flatten().abs()).first >= kLargestExactInteger) {
    refuse("float64 does not tell integers beyond 2^53 apart; give a reference of integers");
  }
}

}  // namespace

double unit_roundoff(at::ScalarType dtype) {
  switch (dtype) {
    case at::kBFloat16:
      return std::ldexp(1, -8);
    case at::kHalf:
      return std::ldexp(1, -11);
    case at::kFloat:
    case at::kComplexFloat:
      return std::ldexp(1, -24);
    case at::kDouble:
    case at::kComplexDouble:
      return std::ldexp(1, -53);
    case at::kComplexHalf:
      return std::ldexp(1, -11);
    default:
      throw std::invalid_argument(std::string("no unit roundoff for ") + c10::toString(dtype));
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
  require_comparable(actual, expected);
  const at::Tensor got = values_of(actual.detach()).flatten();
  const at::Tensor want = values_of(expected).flatten();
  const bool exactly = is_integral(expected);
  for (const double part : {tolerance.absolute, tolerance.relative, tolerance.of_rms}) {
    if (!(part >= 0) || !std::isfinite(part)) {
      throw SystemError("its tolerance has a part that is negative or no finite number",
                        "give absolute, relative and of_rms as numbers from 0 on");
    }
  }
  const Tolerance allowed = {
      tolerance.absolute + (tolerance.of_rms > 0 ? tolerance.of_rms * root_mean_square(want) : 0),
      tolerance.relative};
  double worst_excess = -1;
  for (std::int64_t begin = 0; begin < out.elements; begin += piece) {
    const auto length = std::min(piece, out.elements - begin);
    const auto [part, worst, excess] =
        exactly
            ? compare_integers(got.narrow(0, begin, length), want.narrow(0, begin, length))
            : compare_piece(got.narrow(0, begin, length), want.narrow(0, begin, length), allowed);
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
