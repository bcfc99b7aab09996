#include "perfgate/measure/measurement_plan.h"

#include <gtest/gtest.h>

namespace perfgate {
namespace {

int cpu_samples(double expected_s) { return plan_for(CpuProtocol{}, Seconds(expected_s)).samples; }

int cuda_samples(double expected_s) {
  return plan_for(CudaProtocol{}, Seconds(expected_s)).samples;
}

int traced_runs(double expected_s) {
  return plan_for(CudaProtocol{}, Seconds(expected_s)).traced_runs;
}

TEST(CpuPlan, AimsAtATotalAndTakesEightOfWhatIsLonger) {
  EXPECT_EQ(cpu_samples(0), 300);
  EXPECT_EQ(cpu_samples(1e-5), 300);
  EXPECT_EQ(cpu_samples(0.0100), 40);
  EXPECT_EQ(cpu_samples(0.4), 8);
  EXPECT_EQ(cpu_samples(0.5), 8);
}

TEST(CpuPlan, WarmsUpTwiceAtLeast) {
  EXPECT_EQ(plan_for(CpuProtocol{}, Seconds(0.01)).warm_up_runs, 5);
  EXPECT_EQ(plan_for(CpuProtocol{}, Seconds(0.3)).warm_up_runs, 2);
}

TEST(CudaPlan, AimsAtATotalOfBodiesAndPauses) {
  EXPECT_EQ(cuda_samples(1e-5), 400);    // 666 would fit
  EXPECT_EQ(cuda_samples(160e-6), 166);  // 0.1 s / 600 us
  EXPECT_EQ(cuda_samples(0.01), 12);
  EXPECT_EQ(cuda_samples(0.016), 12);
  EXPECT_EQ(cuda_samples(0.021), 9);  // 0.2 s / 21.12 ms
  EXPECT_EQ(cuda_samples(0.031), 6);
  EXPECT_EQ(cuda_samples(0.2), 5);
  EXPECT_EQ(cuda_samples(0.9), 5);
}

TEST(CudaPlan, TracesTenRunsWhereTheyFitAndOneAtLeast) {
  EXPECT_EQ(traced_runs(1e-5), 10);
  EXPECT_EQ(traced_runs(0.005), 6);  // 0.1 s / 15.12 ms
  EXPECT_EQ(traced_runs(0.031), 1);  // though it gets no pause
  EXPECT_EQ(traced_runs(0.2), 1);
}

TEST(CudaPlan, PausesBehindWhatTakesLittle) {
  EXPECT_EQ(plan_for(CudaProtocol{}, Seconds(0.03)).pause, 2);
  EXPECT_EQ(plan_for(CudaProtocol{}, Seconds(0.031)).pause, 0);
}

// A language model that answers for 20 s, say.
TEST(MeasurementPlan, OfABodyOfManySecondsIsOneSampleAndTheRunThatPreparesIt) {
  const Seconds expected(20);
  const auto cuda = plan_for(CudaProtocol{}, expected);
  EXPECT_EQ(cuda.samples, 1);
  EXPECT_EQ(cuda.longest_warm_up, Seconds(0));
  EXPECT_EQ(cuda.traced_runs, 1);
  EXPECT_FALSE(cuda.first_trace_run);
  EXPECT_TRUE(cuda.very_long);
  EXPECT_FALSE(plan_for(CudaProtocol{}, Seconds(0.4)).very_long);
  EXPECT_LE(cuda.length(expected), 5 * expected);
  const auto cpu = plan_for(CpuProtocol{}, expected);
  EXPECT_EQ(cpu.samples, 1);
  EXPECT_EQ(cpu.samples_a_block, 1);
  EXPECT_EQ(cpu.warm_up_runs, 0);
}

TEST(MeasurementPlan, OfASecondsBodyHasAsManySamplesAsFit) {
  EXPECT_EQ(cuda_samples(2), 2);
  EXPECT_EQ(cpu_samples(1), 4);
}

TEST(MeasurementPlan, OfAShortBodyTakesLessThanASecondsRuns) {
  for (const double expected : {0.0, 2e-6, 1e-4, 1e-2}) {
    EXPECT_LT(plan_for(CudaProtocol{}, Seconds(expected)).length(Seconds(expected)), Seconds(1.5));
  }
}

}  // namespace
}  // namespace perfgate
