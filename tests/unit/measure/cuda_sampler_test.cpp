#include "perfgate/measure/cuda_sampler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "fixtures/cuda_sampling.h"
#include "fixtures/fake_gpu.h"
#include "fixtures/fake_tracer.h"
#include "fixtures/message_of.h"
#include "perfgate/core/errors.h"
#include "perfgate/measure/cuda_metrics.h"

namespace perfgate {
namespace {

using testing_support::CudaSampling;
using testing_support::FakeGpu;
using testing_support::FakeTracer;

using testing::HasSubstr;
using testing_support::kFloor;
using testing_support::message_of;

TEST_F(CudaSampling, RecordsTheClockThatTheBodyRanAt) {
  const auto out = measure();
  EXPECT_EQ(out.report.samples.at("sm_clock_mhz"),
            std::vector<double>(out.report.samples.at("time_us").size(), 1500));
}

TEST_F(CudaSampling, JudgesTheCyclesOfWhatComputesBesideItsTime) {
  bound_ = Bound::kCompute;
  const auto cycles = measure().metrics.at(Quantity::kCycles);
  EXPECT_NEAR(cycles.value, 100 * 1500, 1e-6);
  EXPECT_TRUE(cycles.judged);
  EXPECT_EQ(cycles.variance_class, "cuda/cycles");
  expected_ = Seconds(39e-6);
  EXPECT_FALSE(measure().metrics.at(Quantity::kCycles).judged);
  expected_ = Seconds(40e-6);
  EXPECT_TRUE(measure().metrics.at(Quantity::kCycles).judged);
  judged_ = Judged::kHost;
  EXPECT_FALSE(measure().metrics.at(Quantity::kCycles).judged);
}

TEST_F(CudaSampling, CountsNoCyclesWhereTheyTellNothing) {
  EXPECT_EQ(measure().metrics.count(Quantity::kCycles), 0U) << "memory has a clock of its own";
  bound_ = Bound::kCompute;
  gpu_.timed_out = true;
  EXPECT_EQ(measure().metrics.count(Quantity::kCycles), 0U)
      << "the clock of a GPU that waits for the host";
}

TEST_F(CudaSampling, WarmsUpUntilTheClockBehindTheBodyStandsStill) {
  measure();
  const int steady = std::exchange(gpu_.flushes, 0);
  gpu_.unsteady_samples = 1000;
  measure();
  EXPECT_GT(gpu_.flushes, steady + 500);
}

TEST_F(CudaSampling, JudgesTheTimeWithoutTheEventFloor) {
  const auto out = measure();
  EXPECT_NEAR(out.metrics.at(Quantity::kTime).value, 102.7, 1e-6);
  EXPECT_NEAR(out.metrics.at(Quantity::kNetTime).value, 100, 1e-6);
  EXPECT_TRUE(out.metrics.at(Quantity::kNetTime).judged);
  EXPECT_FALSE(out.metrics.at(Quantity::kTime).judged);
  EXPECT_NEAR(out.metrics.at(Quantity::kUtilisation).value, 0.8, 1e-9);
}

TEST_F(CudaSampling, RefusesWhatIsTooShortToTime) {
  length_ = Seconds(0.9e-6);
  EXPECT_THAT(message_of<SystemError>([this] { measure(); }), HasSubstr("too short to time"));
  judged_ = Judged::kHost;
  EXPECT_NO_THROW(measure()) << "the host's time is what is judged";
  judged_ = Judged::kElapsed;
  EXPECT_NO_THROW(measure()) << "the floor is a part of what is judged";
  judged_ = Judged::kDeviceTime;
  length_ = Seconds(1.1e-6);
  EXPECT_NO_THROW(measure());
}

TEST_F(CudaSampling, JudgesAsReadWhatIsToBeReadAndTheHostWhereItIsAsked) {
  judged_ = Judged::kElapsed;
  EXPECT_TRUE(measure().metrics.at(Quantity::kTime).judged);
  EXPECT_EQ(measure().metrics.count(Quantity::kNetTime), 0U);
  judged_ = Judged::kHost;
  const auto host_time = measure().metrics.at(Quantity::kHostTime);
  EXPECT_TRUE(host_time.judged);
  EXPECT_EQ(host_time.statistic, Statistic::kBest);
  EXPECT_EQ(host_time.tolerance, 0.2);
}

TEST_F(CudaSampling, MakesOfASessionWhatTheBodyAsksFor) {
  CudaSampler sampler(protocol_, gpu_, nullptr, "no CUPTI here");
  Body in = body();
  EXPECT_EQ(sampler.measure(in, {}).metrics.at(Quantity::kNetTime).statistic, Statistic::kMedian);
  EXPECT_FALSE(sampler.measure(in, {}).metrics.at(Quantity::kNetTime).tolerance);
  in.statistic = Statistic::kBest;
  in.tolerance = 0.005;
  in.traffic.bound = Bound::kCompute;
  FakeTracer tracer;
  const auto out = CudaSampler(protocol_, gpu_, &tracer, "").measure(in, {});
  EXPECT_EQ(out.metrics.at(Quantity::kNetTime).statistic, Statistic::kBest);
  EXPECT_EQ(out.metrics.at(Quantity::kBusyTime).statistic, Statistic::kBest);
  for (const auto quantity : {Quantity::kNetTime, Quantity::kBusyTime, Quantity::kCycles}) {
    EXPECT_EQ(out.metrics.at(quantity).tolerance, 0.005);
  }
}

TEST_F(CudaSampling, GivesWhatLaunchingCostsANoiseOfItsOwn) {
  EXPECT_EQ(measure().metrics.at(Quantity::kNetTime).variance_class, "cuda/memory/long");
  judged_ = Judged::kElapsed;
  EXPECT_EQ(measure().metrics.at(Quantity::kTime).variance_class, "cuda/launch");
  judged_ = Judged::kHost;
  EXPECT_EQ(measure().metrics.at(Quantity::kHostTime).variance_class, "cuda/launch");
}

TEST_F(CudaSampling, SubtractsTheFloorOfItsOwnProcessAndReportsIt) {
  ceilings_[kFloor] = 4.3;  // what another process of the run had
  const auto out = measure();
  EXPECT_NEAR(out.metrics.at(Quantity::kNetTime).value, 100, 1e-6);
  EXPECT_NEAR(out.report.ceilings.at(kFloor), 2.7, 1e-9);
}

TEST_F(CudaSampling, NamesNoUtilisationWhereTheRunHasNotMeasuredTheCeiling) {
  ceilings_.clear();
  EXPECT_EQ(measure().metrics.count(Quantity::kUtilisation), 0U);
}

TEST_F(CudaSampling, FlushesBeforeEverySampleAndPausesTwiceItsLengthAfter) {
  measure();
  EXPECT_GT(gpu_.flushes, protocol_.min_samples);
  EXPECT_NEAR(gpu_.paused.count(), 2 * gpu_.read.count(), 1e-9);
  EXPECT_EQ(std::get<std::string>(measure().report.protocol.at("pause")), "2 bodies");
}

TEST_F(CudaSampling, DoesNotPauseBehindWhatIsDeclaredToTakeLong) {
  expected_ = Seconds(0.03);
  EXPECT_EQ(std::get<std::string>(measure().report.protocol.at("pause")), "2 bodies");
  EXPECT_GT(gpu_.longest_pause, length_);
  gpu_.longest_pause = Seconds(0);
  expected_ = Seconds(0.031);
  EXPECT_EQ(std::get<std::string>(measure().report.protocol.at("pause")), "none");
  EXPECT_LT(gpu_.longest_pause, length_) << "the floor's alone";
}

TEST_F(CudaSampling, PreconditionsTheGpuOnceBeforeWhatComputesAndSaysSo) {
  CudaSampler sampler(protocol_, gpu_, nullptr, "no CUPTI here");
  sampler.precondition(Bound::kMemory);
  EXPECT_EQ(gpu_.preconditioned, Seconds(0));
  sampler.precondition(Bound::kCompute);
  sampler.precondition(Bound::kCompute);
  EXPECT_EQ(gpu_.preconditioned, protocol_.precondition);
  EXPECT_EQ(sampler.measure(body(), {}).report.protocol.count("precondition"), 0U)
      << "of what moves memory";
  bound_ = Bound::kCompute;
  EXPECT_EQ(std::get<std::string>(sampler.measure(body(), {}).report.protocol.at("precondition")),
            "100 ms of int8 tensor cores");
}

TEST_F(CudaSampling, ClaimsNoPreconditioningThatThisGpuHasNoKernelFor) {
  gpu_.can_precondition = false;
  bound_ = Bound::kCompute;
  CudaSampler sampler(protocol_, gpu_, nullptr, "no CUPTI here");
  sampler.precondition(Bound::kCompute);
  EXPECT_EQ(sampler.measure(body(), {}).report.protocol.count("precondition"), 0U);
}

TEST_F(CudaSampling, MeasuresWithoutABlockingKernelWhatRunsIntoItsTimeOutTwice) {
  gpu_.timed_out = true;
  const auto out = measure();
  EXPECT_FALSE(std::get<bool>(out.report.protocol.at(kQueuedWhole)));
  EXPECT_EQ(out.report.discarded, 2);
  EXPECT_NEAR(out.metrics.at(Quantity::kNetTime).value, 100, 1e-6);
  gpu_.timed_out = false;
  EXPECT_TRUE(std::get<bool>(measure().report.protocol.at(kQueuedWhole)));
}

TEST_F(CudaSampling, InjectsWhatItIsAskedForAndReportsWhatItInjected) {
  const auto out = measure(20);
  EXPECT_NEAR(out.report.injected_percent.value(), 20, 1e-6);
  EXPECT_NEAR(out.metrics.at(Quantity::kNetTime).value, 120, 1e-6);
  gpu_.shortest_kernel = Seconds(5e-6);  // 1 % cannot be injected: 5 % is what it becomes
  EXPECT_NEAR(measure(1).report.injected_percent.value(), 5, 1e-6);
  EXPECT_FALSE(measure().report.injected_percent.has_value());
}

TEST_F(CudaSampling, SizesAnInjectionByTwentySamplesASideOrByAsManyAsTheBodyGets) {
  int runs = 0;
  const auto runs_of = [&](double expected_s, double inject_percent) {
    Body counted = body();
    counted.expected = Seconds(expected_s);
    counted.run = [&, expected_s] {
      ++runs;
      gpu_.queued += Seconds(expected_s);
    };
    runs = 0;
    CudaSampler(protocol_, gpu_, nullptr, "").measure(counted, {inject_percent, ceilings_});
    return runs;
  };
  // One round of both, and one undisturbed sample beside each injected one.
  EXPECT_EQ(runs_of(1e-4, 5) - runs_of(1e-4, 0),
            2 * 20 + plan_for(protocol_, Seconds(1e-4)).samples);
  EXPECT_EQ(runs_of(0.01, 5) - runs_of(0.01, 0), 2 * 12 + 12);
}

TEST_F(CudaSampling, SaysWhyThereIsNoTrace) {
  EXPECT_EQ(why_untraced(measure().report), "no CUPTI here");
  EXPECT_EQ(measure().metrics.count(Quantity::kBusyTime), 0U);
}

TEST_F(CudaSampling, RefusesABodyThatTookNoTime) {
  CudaSampler sampler(protocol_, gpu_, nullptr, "");
  Body nothing = body();
  nothing.run = [] {};
  EXPECT_THROW(sampler.measure(nothing, {0, ceilings_}), SystemError);
}

TEST_F(CudaSampling, LeavesNoStreamBlockedWhenTheBodyThrows) {
  CudaSampler sampler(protocol_, gpu_, nullptr, "");
  Body throwing = body();
  throwing.run = [] { throw std::runtime_error("on purpose"); };
  EXPECT_THROW(sampler.measure(throwing, {0, ceilings_}), std::runtime_error);
  EXPECT_FALSE(gpu_.blocked);
}

TEST_F(CudaSampling, TracesTheKernelsAfterTiming) {
  FakeTracer tracer;
  CudaSampler sampler(protocol_, gpu_, &tracer, "");
  const auto out = sampler.measure(body(), {0, ceilings_});
  EXPECT_NEAR(out.metrics.at(Quantity::kBusyTime).value, 80, 1e-9);
  EXPECT_EQ(out.metrics.at(Quantity::kLaunches).value, 1);
  EXPECT_EQ(out.metrics.at(Quantity::kGap).value, 0);
  EXPECT_FALSE(out.metrics.at(Quantity::kBusyTime).judged);
  const auto& kernels = kernels_of(out.report);
  ASSERT_EQ(kernels.size(), 1U);
  EXPECT_EQ(kernels[0].name, "work");
  ASSERT_EQ(out.execution.size(), 1U);  // without the sampler's own kernels
  EXPECT_EQ(out.execution[0].kernel.name, "work");
  EXPECT_EQ(out.execution[0].end_ns - out.execution[0].start_ns, 80'000);
  EXPECT_FALSE(tracer.running);
}

TEST_F(CudaSampling, KeepsTheTimesOfABodyThatCannotBeTraced) {
  for (const char* call : {"start", "collect"}) {
    FakeTracer tracer;
    tracer.refused = call;
    const auto out = CudaSampler(protocol_, gpu_, &tracer, "").measure(body(), {0, ceilings_});
    EXPECT_EQ(why_untraced(out.report), call + std::string(": another profiler"));
    EXPECT_TRUE(out.execution.empty());
    EXPECT_EQ(out.metrics.count(Quantity::kBusyTime), 0U);
    EXPECT_EQ(out.metrics.count(Quantity::kNetTime), 1U);
    EXPECT_FALSE(tracer.running);
  }
  FakeTracer tracer;
  tracer.lost = true;
  const auto out = CudaSampler(protocol_, gpu_, &tracer, "").measure(body(), {0, ceilings_});
  EXPECT_NE(why_untraced(out.report)->find("lost"), std::string::npos);
}

TEST_F(CudaSampling, TracesALongBodyLessOften) {
  for (const auto& [expected, executions] : {std::pair{1e-4, 10}, {0.2, 1}}) {
    FakeTracer tracer;
    Body traced = body();
    traced.expected = Seconds(expected);
    CudaSampler(protocol_, gpu_, &tracer, "").measure(traced, {0, ceilings_});
    EXPECT_EQ(tracer.collected, 1 + executions);  // the first is the tracer's own start
  }
}

}  // namespace
}  // namespace perfgate
