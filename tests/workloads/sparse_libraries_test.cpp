#include "perfgate/workloads/sparse/libraries.h"

#include <ATen/ops/mm.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <tuple>

namespace perfgate::sparse {
namespace {

Product small(Function function, at::ScalarType dtype) {
  return {function, {64, 1024, 32}, dtype, at::DeviceType::CPU};
}

Accuracy accuracy_of(const Product& product, Library library, const at::Tensor& output,
                     const Operands& operands) {
  return compare(output, reference(product, operands), tolerance_of(product, library));
}

class DenseProduct : public testing::TestWithParam<std::tuple<Function, at::ScalarType>> {
 protected:
  Product product_ = small(std::get<0>(GetParam()), std::get<1>(GetParam()));
  Operands operands_ = make_operands(product_, Library::kDense, at::kCPU);
  Tuning tuning_;
  at::Tensor output_ = product_by(Library::kDense, product_, operands_, tuning_)();
};

TEST_P(DenseProduct, GivesTheReferencesNumbers) {
  EXPECT_EQ(accuracy_of(product_, Library::kDense, output_, operands_).wrong_elements, 0);
}

TEST_P(DenseProduct, IsWrongWhenOneElementIsOffByTwiceTheTolerance) {
  const auto right = reference(product_, operands_)[3][5].item<double>();
  const Tolerance tolerance = tolerance_of(product_, Library::kDense);
  const double allowed = tolerance.absolute + tolerance.relative * std::abs(right);
  auto output = output_.to(at::kDouble);
  output[3][5] = right + (is_integer(product_) ? 1 : 2 * allowed);
  const auto accuracy = accuracy_of(product_, Library::kDense, output, operands_);
  EXPECT_EQ(accuracy.wrong_elements, 1);
  EXPECT_EQ(accuracy.worst_index, (std::vector<std::int64_t>{3, 5}));
}

TEST_P(DenseProduct, OfALinearLayerHasItsShapeAndItsBias) {
  const bool linear = product_.function == Function::kLinear;
  EXPECT_EQ(output_.sizes(), linear ? at::IntArrayRef({32, 64}) : at::IntArrayRef({64, 32}));
  EXPECT_EQ(operands_.bias.has_value(), linear);
}

INSTANTIATE_TEST_SUITE_P(Small, DenseProduct,
                         testing::Combine(testing::Values(Function::kTensor, Function::kLinear),
                                          testing::Values(at::kFloat, at::kBFloat16, at::kChar)),
                         [](const auto& test) {
                           return name_of(std::get<0>(test.param)) + "_" +
                                  c10::toString(std::get<1>(test.param));
                         });

TEST(AlgorithmInATuning, HoldsForTheVersionThatSearchedForIt) {
  const Tuning found = {{"cusparselt", "0.8.0"}, {"algorithm", "37"}};
  EXPECT_EQ(algorithm_in(found, "0.8.0"), 37);
  EXPECT_EQ(algorithm_in(found, "0.8.1"), std::nullopt);
  EXPECT_EQ(algorithm_in({}, "0.8.0"), std::nullopt);
}

TEST(AlgorithmInATuning, IsSearchedForAgainWhereTheVersionOrTheTextIsNone) {
  EXPECT_EQ(algorithm_in({{"cusparselt", ""}, {"algorithm", "37"}}, ""), std::nullopt);
  for (const char* text : {"", "best", "3x", "-1"}) {
    EXPECT_EQ(algorithm_in({{"cusparselt", "0.8.0"}, {"algorithm", text}}, "0.8.0"), std::nullopt)
        << text;
  }
}

// The product that a unit gives which cuts its factors off after `bits` bits.
at::Tensor product_of_cut_factors(const Operands& operands, int bits) {
  const auto cut = [&](const at::Tensor& t) {
    const std::int64_t mask = ~((std::int64_t{1} << (23 - bits)) - 1);
    return t.contiguous().view(at::kInt).bitwise_and(mask).view(at::kFloat).to(at::kDouble);
  };
  return at::mm(cut(operands.a), cut(operands.b)).to(at::kFloat);
}

TEST(ToleranceOfSparseTensorCores, IsThatOfTf32AndNoMore) {
  const Product product = small(Function::kTensor, at::kFloat);
  const auto operands = make_operands(product, Library::kCusparselt, at::kCPU);
  const auto wrong_at = [&](Library library, int bits) {
    return accuracy_of(product, library, product_of_cut_factors(operands, bits), operands)
        .wrong_elements;
  };
  EXPECT_EQ(wrong_at(Library::kCusparselt, 10), 0);
  EXPECT_EQ(wrong_at(Library::kCutlass, 10), 0);
  EXPECT_GT(wrong_at(Library::kCusparselt, 7), 0);  // as if it were bf16
  EXPECT_GT(wrong_at(Library::kDense, 10), 0);      // dense fp32 is fp32
}

// TF32 that rounds errs less than TF32 that cuts off, and a long sum is allowed the most.
TEST(ToleranceOfADenseProduct, OfFp32FindsRoundedTf32AtTheLongestSum) {
  const Product product = {Function::kTensor, {16, 20480, 64}, at::kFloat, at::DeviceType::CPU};
  const auto operands = make_operands(product, Library::kDense, at::kCPU);
  const auto rounded = [](const at::Tensor& t) {
    const auto half = std::int64_t{1} << 12;
    const auto bits = t.contiguous().view(at::kInt).add(half).bitwise_and(~(2 * half - 1));
    return bits.view(at::kFloat).to(at::kDouble);
  };
  const auto output = at::mm(rounded(operands.a), rounded(operands.b)).to(at::kFloat);
  EXPECT_GT(accuracy_of(product, Library::kDense, output, operands).wrong_elements, 0);
  const auto right = at::mm(operands.a, operands.b);
  EXPECT_EQ(accuracy_of(product, Library::kDense, right, operands).wrong_elements, 0);
}

}  // namespace
}  // namespace perfgate::sparse
