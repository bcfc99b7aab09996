#include "perfgate/workloads/inputs.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/complex.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <ATen/ops/imag.h>
#include <ATen/ops/mv.h>
#include <ATen/ops/std.h>
#include <ATen/ops/tensor.h>
#include <gtest/gtest.h>

namespace perfgate {
namespace {

TEST(RandomNormal, IsTheSameForOneSeedAndDiffersBetweenSeeds) {
  const auto make = [](std::uint64_t seed) {
    return random_normal({64, 64}, at::kFloat, at::kCPU, seed);
  };
  EXPECT_TRUE(at::equal(make(1), make(1)));
  EXPECT_FALSE(at::equal(make(1), make(2)));
}

TEST(RandomNormal, HasUnitVariance) {
  const auto values = random_normal({1 << 20}, at::kFloat, at::kCPU, 1);
  EXPECT_NEAR(values.mean().item<double>(), 0, 0.005);  // five standard errors of 1/1024
  EXPECT_NEAR(at::std(values).item<double>(), 1, 0.005);
}

TEST(RandomNormal, RepeatsNoRowOfALargeMatrix) {
  const auto matrix = random_normal({2048, 2048}, at::kBFloat16, at::kCPU, 1);
  for (const std::int64_t other : {1, 2, 512, 1024, 2047}) {
    EXPECT_FALSE(at::equal(matrix[0], matrix[other])) << other;
  }
}

TEST(RandomNormal, TruncatesIntegersTowardZero) {
  const auto values = random_normal({1 << 16}, at::kChar, at::kCPU, 1);
  EXPECT_EQ(values.scalar_type(), at::kChar);
  // P(|x| < 1) = 68.3 % of a normal becomes 0.
  EXPECT_NEAR(values.eq(0).to(at::kFloat).mean().item<double>(), 0.683, 0.01);
}

TEST(Repeated, StartsAgainWhereTheBlockEnds) {
  const auto block = at::arange(3, at::TensorOptions(at::kShort));
  const auto out = repeated(block, {2, 4}, at::kCPU);
  EXPECT_EQ(out.scalar_type(), at::kShort);
  EXPECT_TRUE(at::equal(out, at::tensor({0, 1, 2, 0, 1, 2, 0, 1}, at::kShort).view({2, 4})));
  EXPECT_TRUE(at::equal(repeated(block, {2}, at::kCPU), block.narrow(0, 0, 2)));
}

TEST(MatrixVectorReference, AgreesWithTheWholeProductInFloat64) {
  const auto matrix = random_normal({5000, 4096}, at::kFloat, at::kCPU, 1);  // several blocks
  const auto vector = random_normal({4096}, at::kFloat, at::kCPU, 2);
  const auto whole = at::mv(matrix.to(at::kDouble), vector.to(at::kDouble));
  EXPECT_TRUE(matrix_vector_reference(matrix, vector).allclose(whole, 1e-12, 1e-12));
}

TEST(Exact, KeepsWholeValuesOrSaysThatItCannot) {
  const auto complex = at::complex(at::full({2}, 1.0F), at::full({2}, 2.0F));
  EXPECT_EQ(exact(complex).scalar_type(), at::kComplexDouble);
  EXPECT_TRUE(at::equal(at::imag(exact(complex)), at::full({2}, 2.0, at::kDouble)));
  EXPECT_EQ(exact(at::full({2}, 5, at::kLong)).scalar_type(), at::kDouble);
  EXPECT_THROW(exact(at::full({2}, (std::int64_t{1} << 53) + 2, at::kLong)), std::invalid_argument);
}

}  // namespace
}  // namespace perfgate
