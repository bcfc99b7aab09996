#pragma once
// Is the output right? Every element against float64, within a bound that follows from the dtype
// and the length of the reduction; never allclose, which says nothing about the error.

#include <ATen/core/Tensor.h>

#include "perfgate/model/worker_report.h"

namespace perfgate {

/// |actual - expected| <= absolute + relative * |expected| + of_rms * rms(expected), element by
/// element. The last is for outputs whose size is not known beforehand: gradients behind many
/// layers.
struct Tolerance {
  double absolute = 0;
  double relative = 0;
  double of_rms = 0;  ///< of the root mean square of the whole reference
};

/// Half the distance from 1 to the next number: the most that one rounding changes, relatively.
/// 2^-8 for bf16, 2^-11 for fp16, 2^-24 for fp32, 2^-53 for fp64; of a complex type, that of its
/// parts. Throws std::invalid_argument for other types.
double unit_roundoff(at::ScalarType dtype);

/// For sums of `length` products of unit-variance operands, accumulated in fp32 and rounded once
/// to `output`. Accumulation errors grow like sqrt(length) times u * sum|a b|, and by
/// Cauchy-Schwarz E|a b| <= 1, so the sum is at most `length` (Higham & Mary, SIAM J. Sci. Comput.
/// 41(5), 2019, for the square root).
Tolerance dot_product_tolerance(at::ScalarType output, double length);

/// Compares whole values, on the device where `actual` lies: floating point in float64, complex in
/// complex128 by the size of their difference, integers and bool exactly where `expected` has
/// integers, quantised ones by the values that they stand for, sparse ones with their zeros. An
/// element that equals the reference is right, infinity and NaN included; NaN and infinity where
/// the reference has none are wrong. Of a nested tensor the rows are compared, one below the other:
/// `expected` is dense. `expected`: float64, complex128 of complex outputs, integers or bool of
/// such outputs. Throws std::invalid_argument, naming the type, where one does not go with the
/// other or LibTorch cannot convert it; and when the shapes differ. `piece`: so many elements at
/// once, with some ten temporaries of 8 bytes each.
Accuracy compare(const at::Tensor& actual, const at::Tensor& expected, const Tolerance& tolerance,
                 std::int64_t piece = std::int64_t{1} << 25);

}  // namespace perfgate
