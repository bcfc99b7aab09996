#include "perfgate/workloads/accuracy.h"

#include <ATen/ops/full.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

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

TEST(Compare, RefusesAnotherShape) {
  EXPECT_THROW(compare(at::zeros({4, 3}), expected(), {}), std::invalid_argument);
}

TEST(UnitRoundoff, IsHalfTheStepAboveOne) {
  EXPECT_DOUBLE_EQ(unit_roundoff(at::kBFloat16), 0.00390625);  // 7 stored bits
  EXPECT_DOUBLE_EQ(unit_roundoff(at::kHalf), 0.00048828125);   // 10 stored bits
  EXPECT_THROW(unit_roundoff(at::kChar), std::invalid_argument);
}

TEST(DotProductTolerance, GrowsWithTheReductionAndTheOutputsRounding) {
  const auto tolerance = dot_product_tolerance(at::kBFloat16, 4096);
  EXPECT_DOUBLE_EQ(tolerance.relative, std::ldexp(1, -8));
  EXPECT_DOUBLE_EQ(tolerance.absolute, std::ldexp(1, -24) * 64 * 4096);
}

}  // namespace
}  // namespace perfgate
