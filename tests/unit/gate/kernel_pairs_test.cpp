#include "perfgate/gate/kernel_pairs.h"

#include <gtest/gtest.h>

#include "fixtures/kernels.h"

namespace perfgate {
namespace {

using testing_support::kernel;

// Instances of one template that take about as long come in any order.
TEST(OtherKernels, AreNotThoseThatAreLaunchedAlikeInAnotherOrder) {
  const std::vector<KernelRecord> before = {kernel("a", 17.8, 32), kernel("a", 17.7, 64)};
  EXPECT_FALSE(other_kernels(before, {kernel("a", 17.8, 64), kernel("a", 17.7, 32)}));
  EXPECT_TRUE(other_kernels(before, {kernel("a", 17.8, 64)}));
}

TEST(OtherKernels, AreNewOnesOrOthersLaunched) {
  EXPECT_FALSE(other_kernels({kernel("a", 100)}, {kernel("a", 150)}));
  EXPECT_FALSE(other_kernels({}, {kernel("a", 100)}));
  EXPECT_TRUE(other_kernels({kernel("flash", 100)}, {kernel("efficient", 100)}));
  EXPECT_TRUE(other_kernels({kernel("a", 100)}, {kernel("a", 100, 8)}));
}

TEST(OtherKernels, AreThoseOfAnotherImplementation) {
  auto fast = kernel("oneDNN matmul f32", 100);
  fast.implementation = "brg_matmul:avx512_core";
  auto slow = fast;
  slow.implementation = "ref:any";
  EXPECT_FALSE(other_kernels({fast}, {fast}));
  EXPECT_TRUE(other_kernels({fast}, {slow}));
}

TEST(OtherKernels, AreThoseOfAnotherConfigurationOrSourceWhereBothAreKnown) {
  auto recorded = kernel("triton_red_mm", 100);
  EXPECT_TRUE(launch_differences(recorded, recorded).empty());
  auto now = recorded;
  now.configuration = "XBLOCK 2, 8 warps";
  now.source = "0123";
  EXPECT_FALSE(other_kernels({recorded}, {now}));  // recorded before it was known
  recorded.configuration = "XBLOCK 1, 8 warps";
  recorded.source = "0123";
  const auto differences = launch_differences(recorded, now);
  ASSERT_EQ(differences.size(), 1U);
  EXPECT_EQ(differences[0].what, "configuration");
  EXPECT_EQ(differences[0].before, "XBLOCK 1, 8 warps");
  EXPECT_EQ(differences[0].now, "XBLOCK 2, 8 warps");
  now = recorded;
  now.source = "4567";
  EXPECT_TRUE(other_kernels({recorded}, {now}));
}

TEST(OtherKernels, AreFoundByPhase) {
  CaseRecord record;
  record.phases[Phase::kForward].kernels = {kernel("a", 10)};
  record.phases[Phase::kBackward].kernels = {kernel("b", 10)};
  WorkerReport now;
  now.phases[Phase::kForward].trace = std::vector{kernel("a", 20)};
  now.phases[Phase::kBackward].trace = std::vector{kernel("c", 10)};
  EXPECT_EQ(phases_with_other_kernels(record, now), std::vector{Phase::kBackward});
  now.phases.erase(Phase::kBackward);  // another build's worker
  EXPECT_TRUE(phases_with_other_kernels(record, now).empty());
}

TEST(OtherKernels, CannotBeToldWhereOneSideHasNone) {
  CaseRecord record;
  record.phases[Phase::kWhole].kernels = {kernel("a", 10)};
  WorkerReport now;
  auto& trace = now.phases[Phase::kWhole].trace;
  EXPECT_TRUE(why_not_comparable(record, now));  // not traced
  trace = NoTrace{"another profiler"};
  EXPECT_EQ(why_not_comparable(record, now), "its kernels were not traced: another profiler");
  trace = std::vector<KernelRecord>{};
  EXPECT_TRUE(why_not_comparable(record, now));
  trace = std::vector{kernel("b", 10)};
  EXPECT_FALSE(why_not_comparable(record, now));
  record.phases[Phase::kWhole].kernels.clear();
  EXPECT_TRUE(why_not_comparable(record, now));
  trace = std::vector<KernelRecord>{};
  EXPECT_FALSE(why_not_comparable(record, now));  // nothing, as ever
}

}  // namespace
}  // namespace perfgate
