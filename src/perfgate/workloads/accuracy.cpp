#include "perfgate/workloads/accuracy.h"

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

// Not std::max: a NaN must win, and stay.
void raise(double& largest, double value) {
  if (std::isnan(value) || value > largest) {
    largest = value;
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
      return std::ldexp(1, -24);
    default:
      throw std::invalid_argument("no unit roundoff for this dtype");
  }
}

Tolerance dot_product_tolerance(at::ScalarType output, double length) {
  return {unit_roundoff(at::kFloat) * std::sqrt(length) * length, unit_roundoff(output)};
}

Accuracy compare(const at::Tensor& actual, const at::Tensor& expected, const Tolerance& tolerance) {
  if (actual.sizes() != expected.sizes()) {
    throw std::invalid_argument("the output's shape differs from the reference's");
  }
  const at::Tensor a = actual.detach().to(at::kCPU, at::kDouble).contiguous();
  const at::Tensor e = expected.to(at::kCPU, at::kDouble).contiguous();
  const auto* actual_data = a.const_data_ptr<double>();
  const auto* expected_data = e.const_data_ptr<double>();

  Accuracy out;
  out.elements = e.numel();
  std::int64_t worst = 0;
  double worst_excess = -1;  // error over allowance, the largest so far
  for (std::int64_t i = 0; i < out.elements; ++i) {
    const double want = expected_data[i];
    const double error = std::abs(actual_data[i] - want);
    const double allowed = tolerance.absolute + tolerance.relative * std::abs(want);
    const bool wrong = !(error <= allowed);  // so that NaN is wrong
    const double excess = std::isnan(error) ? std::numeric_limits<double>::infinity()
                          : allowed > 0     ? error / allowed
                                            : error;
    out.wrong_elements += wrong ? 1 : 0;
    raise(out.max_absolute, error);
    if (want != 0) {
      raise(out.max_relative, error / std::abs(want));
    }
    if (excess > worst_excess) {
      worst_excess = excess;
      worst = i;
    }
  }
  if (out.elements > 0) {
    out.worst_index = index_of(worst, e.sizes());
    out.worst_actual = actual_data[worst];
    out.worst_expected = expected_data[worst];
    out.allowed_at_worst = tolerance.absolute + tolerance.relative * std::abs(out.worst_expected);
  }
  return out;
}

}  // namespace perfgate
