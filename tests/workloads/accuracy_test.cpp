#include "perfgate/workloads/accuracy.h"

#include <ATen/ops/complex.h>
#include <ATen/ops/full.h>
#include <ATen/ops/quantize_per_tensor.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "perfgate/core/errors.h"

namespace perfgate {
namespace {

at::Tensor expected() { return at::full({3, 4}, 100.0, at::kDouble); }

at::Tensor with(std::int64_t row, std::int64_t column, double value) {
  auto out = expected().to(at::kFloat);
  out[row][column] = value;
  return out;
}

TEST(Compare, AcceptsErrorsUpToTheBoundAndNoFurther) {
  const Tolerance tolerance{1, 0.01};  // 1 + 0.01 * 100 = 2
  EXPECT_EQ(compare(with(1, 2, 102), expected(), tolerance).wrong_elements, 0);
  EXPECT_EQ(compare(with(1, 2, 102.01), expected(), tolerance).wrong_elements, 1);
  EXPECT_EQ(compare(with(1, 2, 97.99), expected(), tolerance).wrong_elements, 1);
}

TEST(Compare, NamesTheWorstElementWithItsErrors) {
  const auto accuracy = compare(with(2, 3, 150), expected(), {1, 0});
  EXPECT_EQ(accuracy.worst_index, (std::vector<std::int64_t>{2, 3}));
  EXPECT_DOUBLE_EQ(accuracy.max_absolute, 50);
  EXPECT_DOUBLE_EQ(accuracy.max_relative, 0.5);
  EXPECT_DOUBLE_EQ(accuracy.worst_actual, 150);
  EXPECT_DOUBLE_EQ(accuracy.allowed_at_worst, 1);
  EXPECT_EQ(accuracy.elements, 12);
}

TEST(Compare, TakesNotANumberAndInfinityAsWrong) {
  for (const double value :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    for (const std::int64_t piece : {1, 12}) {
      const auto accuracy = compare(with(0, 1, value), expected(), {1e30, 1}, piece);
      EXPECT_EQ(accuracy.wrong_elements, 1);
      EXPECT_EQ(accuracy.worst_index, (std::vector<std::int64_t>{0, 1}));
      EXPECT_FALSE(std::isfinite(accuracy.max_absolute));
    }
  }
}

TEST(Compare, RefusesAToleranceThatAllowsEverythingOrNothing) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const Tolerance& tolerance :
       {Tolerance{-1, 0}, Tolerance{0, -1}, Tolerance{kInfinity, 0}, Tolerance{0, std::nan("")}}) {
    EXPECT_THROW(compare(with(0, 1, 300), expected(), tolerance), SystemError);
  }
  auto infinite = expected();
  infinite[0][0] = kInfinity;
  EXPECT_THROW(compare(infinite.mul(38), infinite, {0, 0, 1e-6}), SystemError)
      << "a share of the root mean square, which is infinite";
}

TEST(Compare, ComparesBothPartsOfAComplexNumberWhereOneIsNone) {
  const auto of = [](double real, double imaginary) {
    return at::complex(at::full({2}, real, at::kDouble), at::full({2}, imaginary, at::kDouble));
  };
  const double none = std::nan("");
  EXPECT_EQ(compare(of(none, 5), of(none, 5), {0, 0}).wrong_elements, 0);
  EXPECT_EQ(compare(of(none, 5), of(none, 7), {1, 0}).wrong_elements, 2);
  EXPECT_EQ(compare(of(none, 5), of(5, none), {1, 0}).wrong_elements, 2);
}

TEST(Compare, TakesNoNumberBeyondInt64ForANegativeOne) {
  const auto most = at::full({2}, -1, at::kLong).view(at::kUInt64);
  EXPECT_THROW(compare(most, at::full({2}, -1, at::kLong), {0, 0}), std::invalid_argument);
  EXPECT_EQ(compare(most, most.clone(), {0, 0}).wrong_elements, 0);
  const auto one = at::full({2}, 1, at::kLong);
  EXPECT_EQ(compare(one.view(at::kUInt64), one, {0, 0}).wrong_elements, 0);
}

TEST(Compare, FindsTheWorstElementOfAnOutputOfManyPieces) {
  auto actual = with(0, 1, 102);
  actual[2][1] = 103;
  for (const std::int64_t piece : {1, 5, 11, 12}) {
    const auto accuracy = compare(actual, expected(), {1, 0}, piece);
    EXPECT_EQ(accuracy.wrong_elements, 2);
    EXPECT_EQ(accuracy.worst_index, (std::vector<std::int64_t>{2, 1}));
    EXPECT_EQ(accuracy.max_absolute, 3);
    EXPECT_EQ(accuracy.worst_actual, 103);
  }
}

TEST(Compare, AllowsNothingBesideWhatMustBeExact) {
  const auto zeros = at::zeros({3, 4}, at::kDouble);
  auto actual = at::zeros({3, 4}, at::kFloat);
  EXPECT_EQ(compare(actual, zeros, {}).wrong_elements, 0);
  EXPECT_EQ(compare(actual, zeros, {}).max_relative, 0);
  actual[0][0] = 5;
  actual[1][1] = 1e-30;
  actual[2][3] = 100;
  for (const std::int64_t piece : {1, 5, 12}) {
    const auto accuracy = compare(actual, zeros, {}, piece);
    EXPECT_EQ(accuracy.wrong_elements, 3);
    EXPECT_EQ(accuracy.worst_index, (std::vector<std::int64_t>{2, 3}));
    EXPECT_EQ(accuracy.allowed_at_worst, 0);
    EXPECT_GT(accuracy.max_relative, 1e100);
    EXPECT_TRUE(std::isfinite(accuracy.max_relative));
  }
}

TEST(Compare, TakesWhatEqualsTheReferenceForRightInfinityAndNotANumberIncluded) {
  const double infinity = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double value : {infinity, -infinity, nan}) {
    auto want = expected();
    want[1][1] = value;
    const auto got = want.to(at::kFloat);
    for (const std::int64_t piece : {1, 5, 12}) {
      const auto accuracy = compare(got, want, {1e-3, 0}, piece);
      EXPECT_EQ(accuracy.wrong_elements, 0) << value;
      EXPECT_TRUE(std::isfinite(accuracy.max_absolute));
      EXPECT_EQ(compare(with(0, 0, 0), want, {1e-3, 0}, piece).wrong_elements, 2);
      auto opposite = got.clone();
      opposite[1][1] = -infinity == value ? infinity : -infinity;
      EXPECT_EQ(compare(opposite, want, {1e-3, 0}, piece).wrong_elements, 1);
    }
  }
}

TEST(Compare, SeesBothPartsOfComplexNumbers) {
  const auto want = at::complex(at::full({8}, 3.0, at::kDouble), at::full({8}, 4.0, at::kDouble));
  const auto got = want.to(at::kComplexFloat);
  const Tolerance tight{1e-5, 1e-6};
  EXPECT_EQ(compare(got, want, tight).wrong_elements, 0);
  const auto conjugated = compare(got.conj(), want, tight);
  EXPECT_EQ(conjugated.wrong_elements, 8);
  EXPECT_DOUBLE_EQ(conjugated.max_absolute, 8);
  EXPECT_DOUBLE_EQ(conjugated.worst_actual, -4);
  EXPECT_DOUBLE_EQ(conjugated.worst_expected, 4);
  EXPECT_EQ(compare(got.neg(), want, tight).wrong_elements, 8);
  EXPECT_EQ(compare(got, want, {0, 0, 1e-6}).wrong_elements, 0) << "5 in the mean square";
  EXPECT_THROW(compare(got, at::full({8}, 3.0, at::kDouble), tight), std::invalid_argument);
  EXPECT_THROW(compare(at::full({8}, 3.0), want, tight), std::invalid_argument);
}

TEST(Compare, ComparesIntegersExactlyWhereTheReferenceHasThem) {
  constexpr std::int64_t kBig = (std::int64_t{1} << 53) + 1;  // no float64
  const auto want = at::full({4}, kBig, at::kLong);
  EXPECT_EQ(compare(want, want, {}).wrong_elements, 0);
  auto got = want.clone();
  got[2] = kBig - 1;
  const auto accuracy = compare(got, want, {});
  EXPECT_EQ(accuracy.wrong_elements, 1);
  EXPECT_EQ(accuracy.worst_index, (std::vector<std::int64_t>{2}));
  EXPECT_THROW(compare(want, want.to(at::kDouble), {}), std::invalid_argument);
  EXPECT_EQ(compare(at::full({4}, 7, at::kInt), at::full({4}, 7.0, at::kDouble), {}).wrong_elements,
            0);
  const auto flags = at::full({4}, 1, at::kBool);
  EXPECT_EQ(compare(flags, flags, {}).wrong_elements, 0);
  EXPECT_EQ(compare(flags.logical_not(), flags, {}).wrong_elements, 4);
  EXPECT_EQ(compare(flags.logical_not(), at::full({4}, 1.0, at::kDouble), {}).wrong_elements, 4);
}

TEST(Compare, ComparesEveryTypeWhole) {
  const auto want = at::full({4, 4}, 2.0, at::kDouble);
  for (const auto dtype : {at::kHalf, at::kBFloat16, at::kFloat, at::kDouble, at::kFloat8_e4m3fn,
                           at::kFloat8_e5m2, at::kChar, at::kByte, at::kShort, at::kInt}) {
    auto got = want.to(dtype);
    EXPECT_EQ(compare(got, want, {}).wrong_elements, 0) << c10::toString(dtype);
    got = want.mul(2).to(dtype);
    EXPECT_EQ(compare(got, want, {}).wrong_elements, 16) << c10::toString(dtype);
  }
  auto sparse = at::zeros({4, 4}, at::kFloat);
  sparse[1][2] = 5;
  const auto dense = sparse.to(at::kDouble);
  EXPECT_EQ(compare(sparse.to_sparse(), dense, {}).wrong_elements, 0);
  EXPECT_EQ(compare(sparse.to_sparse(), dense.mul(2), {}).wrong_elements, 1);
  const auto quantised = at::quantize_per_tensor(want.to(at::kFloat), 0.5, 0, at::kQInt8);
  EXPECT_EQ(compare(quantised, want, {}).wrong_elements, 0);
  EXPECT_EQ(compare(quantised, want.mul(2), {}).wrong_elements, 16);
  EXPECT_THROW(compare(want, want.to(at::kFloat), {}), std::invalid_argument)
      << "a kernel would be checked against itself";
}

TEST(Compare, RefusesAnotherShape) {
  EXPECT_THROW(compare(at::zeros({4, 3}), expected(), {}), std::invalid_argument);
}

TEST(UnitRoundoff, IsHalfTheStepAboveOne) {
  EXPECT_DOUBLE_EQ(unit_roundoff(at::kBFloat16), 0.00390625);  // 7 stored bits
  EXPECT_DOUBLE_EQ(unit_roundoff(at::kHalf), 0.00048828125);   // 10 stored bits
  EXPECT_DOUBLE_EQ(unit_roundoff(at::kDouble), std::ldexp(1, -53));
  EXPECT_DOUBLE_EQ(unit_roundoff(at::kComplexFloat), std::ldexp(1, -24));
  EXPECT_THROW(unit_roundoff(at::kChar), std::invalid_argument);
}

TEST(DotProductTolerance, GrowsWithTheReductionAndTheOutputsRounding) {
  const auto tolerance = dot_product_tolerance(at::kBFloat16, 4096);
  EXPECT_DOUBLE_EQ(tolerance.relative, std::ldexp(1, -8));
  EXPECT_DOUBLE_EQ(tolerance.absolute, std::ldexp(1, -24) * 64 * 4096);
}

}  // namespace
}  // namespace perfgate
