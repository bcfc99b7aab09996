// The sparse family's inputs and shapes; its products are in families_test.cpp.

#include <ATen/ops/arange.h>
#include <ATen/ops/where.h>
#include <c10/core/InferenceMode.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "cutlass_meta.h"
#include "perfgate/workloads/accuracy.h"
#include "perfgate/workloads/prepared.h"
#include "perfgate/workloads/sparse/packing.h"
#include "perfgate/workloads/sparse/products.h"
#include "perfgate/workloads/sparse/shapes.h"

namespace perfgate::sparse {
namespace {

constexpr at::ScalarType kDtypes[] = {at::kHalf, at::kBFloat16, at::kChar, at::kFloat};

// How many values of each block of `width` columns are not zero.
at::Tensor kept_of(const at::Tensor& matrix, std::int64_t width) {
  return matrix.ne(0).view({matrix.size(0), -1, width}).sum(2);
}

TEST(SparseInputs, KeepOneOfEveryPairInEveryDtype) {
  for (const auto dtype : kDtypes) {
    const auto matrix = random_one_of_two(64, 256, dtype, at::kCPU, 1);
    EXPECT_EQ(matrix.scalar_type(), dtype);
    EXPECT_TRUE(kept_of(matrix, 2).eq(1).all().item<bool>()) << dtype;
    const double first = matrix.view({64, 128, 2}).select(2, 0).ne(0).sum().item<double>();
    EXPECT_NEAR(first / (64 * 128), 0.5, 0.05) << dtype;
  }
}

TEST(SparseInputs, KeepOneOfEveryPairWhereTheBlockIsRepeated) {
  const auto matrix = random_one_of_two(1030, 2050, at::kHalf, at::kCPU, 1);  // two blocks
  EXPECT_TRUE(kept_of(matrix, 2).eq(1).all().item<bool>());
  for (const std::int64_t other : {1, 2, 511, 512, 1029}) {
    EXPECT_FALSE(matrix[0].equal(matrix[other])) << other;
  }
}

TEST(SparseInputs, RefuseWhatDoesNotMakePairs) {
  EXPECT_THROW(random_one_of_two(4, 3, at::kHalf, at::kCPU, 1), std::invalid_argument);
  EXPECT_THROW(random_one_block_of_two(32, 48, 16, at::kFloat, at::kCPU, 1), std::invalid_argument);
  EXPECT_THROW(random_one_of_two(1, 0, at::kHalf, at::kCPU, 1), std::invalid_argument);
}

TEST(SparseInputs, KeepOneOfEveryPairOfBlocks) {
  const auto matrix = random_one_block_of_two(64, 128, 16, at::kFloat, at::kCPU, 1);
  const auto blocks = matrix.ne(0).view({4, 16, 4, 2, 16}).sum({1, 4});  // of 16 x 16, in pairs
  EXPECT_TRUE(blocks.sum(2).eq(256).all().item<bool>());
  EXPECT_TRUE(blocks.eq(0).logical_or(blocks.eq(256)).all().item<bool>());
}

TEST(SparseInputs, AreTheSameInEveryProcessAndDifferBySeed) {
  EXPECT_TRUE(random_one_of_two(32, 64, at::kHalf, at::kCPU, 1)
                  .equal(random_one_of_two(32, 64, at::kHalf, at::kCPU, 1)));
  EXPECT_FALSE(random_one_of_two(32, 64, at::kHalf, at::kCPU, 1)
                   .equal(random_one_of_two(32, 64, at::kHalf, at::kCPU, 2)));
}

TEST(SparseInputs, OfTheDenseSideHaveNoZeroAndIntegersBothSigns) {
  for (const auto dtype : kDtypes) {
    EXPECT_TRUE(random_nonzero(256, 256, dtype, at::kCPU, 3).ne(0).all().item<bool>()) << dtype;
  }
  const auto integers = random_nonzero(256, 256, at::kChar, at::kCPU, 3);
  EXPECT_EQ(integers.min().item<int>(), -8);
  EXPECT_EQ(integers.max().item<int>(), 8);
}

at::Tensor patterned(std::int64_t rows, std::int64_t columns, at::ScalarType dtype) {
  const auto row = at::arange(rows).unsqueeze(1);
  const auto column = at::arange(columns).unsqueeze(0);
  const auto values = row.mul(7).add(column.mul(3)).remainder(5).add(1);
  const auto first = row.mul(31).add(column.floor_divide(2).mul(17)).remainder(7).lt(3);
  return values.mul(column.remainder(2).eq(0).eq(first)).to(dtype);
}

void expect_packed(at::ScalarType dtype, std::int64_t rows, std::int64_t columns,
                   const std::vector<std::int64_t>& meta) {
  const auto matrix = patterned(rows, columns, dtype);
  const auto packed = pack_for_cutlass(matrix);
  EXPECT_TRUE(
      packed.values.to(at::kDouble)
          .equal(matrix.masked_select(matrix.ne(0)).view({rows, columns / 2}).to(at::kDouble)));
  ASSERT_EQ(packed.meta.numel(), static_cast<std::int64_t>(meta.size()));
  const auto words = packed.meta.flatten().to(at::kLong);
  for (std::size_t i = 0; i < meta.size(); ++i) {
    ASSERT_EQ(words[static_cast<std::int64_t>(i)].item<std::int64_t>(), meta[i]) << i;
  }
}

TEST(CutlassPacking, GivesWhatPyTorchGives) {
  expect_packed(at::kHalf, 32, 64, testing_support::kMetaOfHalf);
  expect_packed(at::kChar, 16, 128, testing_support::kMetaOfInt8);
  expect_packed(at::kFloat, 32, 32, testing_support::kMetaOfFloat);
}

// BSR's A is another one: half of its blocks are zero, not of its values.
TEST(SparseCases, GiveTheDenseProductOfTheSameMatrix) {
  const c10::InferenceMode no_autograd;
  std::map<std::string, PreparedPhase> prepared;
  for (const auto& item : tensor(at::DeviceType::CPU)) {
    prepared[item.key] = item.prepare({at::kCPU, {}, {}}).phase();
  }
  int compared = 0;
  for (const auto& [key, sparse] : prepared) {
    if (!key.ends_with("/csr")) {
      continue;
    }
    const auto& dense = prepared.at(key.substr(0, key.rfind('/')) + "/dense");
    const Tolerance both = {sparse.tolerances[0].absolute + dense.tolerances[0].absolute,
                            sparse.tolerances[0].relative + dense.tolerances[0].relative};
    const auto accuracy = compare(sparse.run()[0], dense.run()[0].to(at::kDouble), both);
    EXPECT_EQ(accuracy.wrong_elements, 0) << key << " " << accuracy.max_absolute;
    ++compared;
  }
  EXPECT_EQ(compared, 4);
}

TEST(SparseCases, CoverEveryShapeOfTheSeed) {
  const auto sets = gpu_shapes();
  ASSERT_EQ(sets.size(), 3u);
  using Mkn = std::array<std::int64_t, 3>;
  std::vector<std::vector<Mkn>> wanted(3);
  wanted[0] = {{3072, 1024, 16384}, {4096, 1024, 16384}, {1024, 1024, 16384}, {1024, 4096, 16384}};
  for (const std::int64_t mn : {3072, 4096, 5120, 6144, 7168, 8192, 9216, 10240, 11264, 12288,
                                13312, 14336, 15360, 16384, 17408, 18432, 19456, 20480}) {
    wanted[1].push_back({mn, 10240, mn});
  }
  for (const std::int64_t k : {2560, 3840, 5120, 6400, 7680, 8960, 10240, 11520, 12800, 14080,
                               15360, 16640, 17920, 19200, 20480}) {
    wanted[2].push_back({10240, k, 10240});
  }
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    std::vector<Mkn> found;
    for (const auto& [name, shape] : sets[i].shapes) {
      found.push_back({shape.m, shape.k, shape.n});
    }
    EXPECT_EQ(found, wanted[i]) << sets[i].mode;
  }
}

TEST(SparseCases, OfANightAreHalfPrecisionAndTheBertShapes) {
  int nightly = 0;
  int all = 0;
  std::set<std::string> keys;
  for (const auto table : {tensor, linear}) {
    for (const auto& item : table(at::DeviceType::CUDA)) {
      ++all;
      nightly += item.by_default ? 1 : 0;
      keys.insert(item.key);
      EXPECT_LE(item.key.size(), 50u) << item.key;  // the table's column
    }
  }
  EXPECT_EQ(all, 2 * 37 * 4 * 4);  // functions, shapes, dtypes, libraries
  EXPECT_EQ(nightly, 2 * (37 * 4 + 4 * 3 * 4));
  EXPECT_EQ(keys.size(), static_cast<std::size_t>(all));
}

TEST(SparseCases, AreComparedWithTheDenseProductOfTheSameShape) {
  for (const auto& item : tensor(at::DeviceType::CUDA)) {
    const auto stem = item.key.substr(0, item.key.rfind('/'));
    EXPECT_EQ(item.shown.compared_with, item.key == stem + "/dense" ? "" : stem + "/dense");
  }
}

TEST(SparseCases, AreJudgedByTheBestProcessWhereCusparseltMultiplies) {
  for (const auto& item : linear(at::DeviceType::CUDA)) {
    const bool cusparselt = item.key.find("/cusparselt") != std::string::npos;
    EXPECT_EQ(item.work().statistic == Statistic::kBest, cusparselt) << item.key;
  }
}

TEST(SparseCases, JudgeTheHostsTimeInACaseOfItsOwn) {
  const auto cases = host_time(at::DeviceType::CUDA);
  ASSERT_EQ(cases.size(), 1u);
  EXPECT_EQ(cases[0].work().judged, Judged::kHost);
}

TEST(SparseCases, SayThatALinearLayersSparseOutputIsColumnMajor) {
  for (const auto& item : linear(at::DeviceType::CUDA)) {
    EXPECT_EQ(item.contiguous, item.key.substr(item.key.rfind('/')) == "/dense") << item.key;
  }
}

}  // namespace
}  // namespace perfgate::sparse
