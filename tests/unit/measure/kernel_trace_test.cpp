#include "perfgate/measure/kernel_trace.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "perfgate/core/errors.h"

namespace perfgate {
namespace {

Activity kernel(const std::string& name, std::int64_t start_ns, std::int64_t end_ns,
                std::int64_t grid = 1) {
  Activity out;
  out.kernel.name = name;
  out.kernel.count = 1;
  out.kernel.grid = {grid, 1, 1};
  out.start_ns = start_ns;
  out.end_ns = end_ns;
  return out;
}

TEST(BodyOf, IsWhatLiesBetweenTheLastMarkerBeforeAndTheFirstAfter) {
  const auto body =
      body_of({kernel("clock", 900, 910), kernel("b", 500, 600), kernel("flush", 100, 200),
               kernel("flush", 0, 50), kernel("a", 300, 400), kernel("late", 950, 960)},
              "flush", "clock");
  ASSERT_EQ(body.size(), 2U);
  EXPECT_EQ(body[0].kernel.name, "a");
  EXPECT_EQ(body[1].kernel.name, "b");
}

TEST(BodyOf, RefusesATraceWithoutItsMarkers) {
  EXPECT_THROW(body_of({kernel("a", 0, 1), kernel("clock", 2, 3)}, "flush", "clock"), SystemError);
  EXPECT_THROW(body_of({kernel("flush", 0, 1), kernel("a", 2, 3)}, "flush", "clock"), SystemError);
  EXPECT_THROW(body_of({}, "flush", "clock"), SystemError);
}

TEST(BusyTime, CountsKernelsSideBySideOnce) {
  // [0, 100) and [50, 150) overlap, [60, 70) lies inside, [200, 230) apart: 150 + 30 ns.
  EXPECT_DOUBLE_EQ(busy_time({kernel("a", 50, 150), kernel("b", 0, 100), kernel("c", 60, 70),
                              kernel("d", 200, 230)})
                       .count(),
                   180e-9);
  EXPECT_DOUBLE_EQ(busy_time({}).count(), 0);
}

TEST(Summary, AddsUpEqualKernelsOfOneExecutionLongestFirst) {
  const std::vector<Activity> execution = {kernel("short", 0, 1000), kernel("long", 1000, 5000),
                                           kernel("short", 5000, 6000),
                                           kernel("short", 6000, 7500, /*grid=*/64)};
  const auto out = summarise({execution, execution});
  EXPECT_EQ(out.launches, 4);
  EXPECT_DOUBLE_EQ(Microseconds(out.busy).count(), 7.5);
  ASSERT_EQ(out.kernels.size(), 3U);
  EXPECT_EQ(out.kernels[0].name, "long");
  EXPECT_EQ(out.kernels[1].count, 2);
  EXPECT_DOUBLE_EQ(out.kernels[1].busy_us, 2);
  EXPECT_EQ(out.kernels[2].grid[0], 64);
}

TEST(Summary, CountsTheTimeOfAnOperatorWithoutThatOfThoseThatItCalls) {
  Activity outer = kernel("outer", 0, 100'000);
  outer.inner_ns = 70'000;
  const auto summary = summarise({{outer, kernel("inner", 20'000, 90'000)}});
  ASSERT_EQ(summary.kernels.size(), 2U);
  EXPECT_EQ(summary.kernels[0].name, "inner");
  EXPECT_NEAR(summary.kernels[0].busy_us, 70, 1e-9);
  EXPECT_NEAR(summary.kernels[1].busy_us, 30, 1e-9);
}

TEST(Summary, TellsHowLongTheGpuIdledInBetween) {
  // Busy [0, 1000) and [1500, 3000), idle for 500 ns; before the first there is no gap.
  const auto out = summarise({{kernel("b", 11'500, 13'000), kernel("a", 10'000, 11'000)}});
  EXPECT_NEAR(Microseconds(out.gap).count(), 0.5, 1e-9);
  EXPECT_EQ(summarise({{}}).gap.count(), 0);
}

TEST(Summary, TakesTheMedianExecution) {
  const auto run = [](std::int64_t length_ns) {
    return std::vector<Activity>{kernel("a", 0, length_ns)};
  };
  EXPECT_DOUBLE_EQ(Microseconds(summarise({run(1000), run(9000), run(1100)}).busy).count(), 1.1);
  EXPECT_THROW(summarise({}), std::invalid_argument);
}

TEST(KernelName, LosesWhatChangesFromBuildToBuild) {
  EXPECT_EQ(normalised_kernel_name("triton_red_fused_mv_0"), "triton_red_fused_mv_0");
  EXPECT_EQ(normalised_kernel_name("_Z6kernelIfLi4EEvPT_i"), "kernel<float, 4>");
  EXPECT_EQ(normalised_kernel_name("void (anonymous namespace)::scale<float>(float*, int)"),
            "scale<float>");
  EXPECT_EQ(normalised_kernel_name("void f<(anonymous namespace)::A>(int (*)(int))"), "f<A>");
  EXPECT_EQ(normalised_kernel_name("gemm_0x7f12ab_tile"), "gemm_0x_tile");
  EXPECT_EQ(normalised_kernel_name("fused_mul_3f2a9c01d4"), "fused_mul");
}

}  // namespace
}  // namespace perfgate
