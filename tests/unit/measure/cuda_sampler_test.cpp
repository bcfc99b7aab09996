#include "perfgate/measure/cuda_sampler.h"

#include <gtest/gtest.h>

#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "fixtures/fake_gpu.h"
#include "fixtures/fake_tracer.h"
#include "perfgate/core/errors.h"

namespace perfgate {
namespace {

using testing_support::FakeGpu;
using testing_support::FakeTracer;

class CudaSampling : public testing::Test {
 protected:
  // Of 4e8 bytes: 4000 GB/s where it takes 100 us.
  Body body() {
    return {[this] { gpu_.queued += length_; },
            {{4e8}, {0}, bound_},
            expected_,
            {},
            judged_,
            "dram_read_gb_per_s"};
  }
  Measurement measure(double inject_percent = 0) {
    CudaSampler sampler(protocol_, gpu_, nullptr, "no CUPTI here");
    return sampler.measure(body(), {inject_percent, ceilings_});
  }

  FakeGpu gpu_;
  CudaProtocol protocol_;
  Judged judged_ = Judged::kDeviceTime;
  Bound bound_ = Bound::kMemory;
  Seconds length_{1e-4};  // by itself
  Seconds expected_{1e-4};
  std::map<std::string, double> ceilings_ = {{"event_floor_us", 2.7}, {"dram_read_gb_per_s", 5000}};
};

TEST_F(CudaSampling, RecordsTheClockThatTheBodyRanAt) {
  const auto out = measure();
  EXPECT_EQ(out.samples.at("sm_clock_mhz"),
            std::vector<double>(out.samples.at("time_us").size(), 1500));
}

TEST_F(CudaSampling, JudgesTheCyclesOfWhatComputesBesideItsTime) {
  bound_ = Bound::kCompute;
  const auto cycles = measure().metrics.at("sm_cycles");
  EXPECT_NEAR(cycles.figure, 100 * 1500, 1e-6);
  EXPECT_EQ(cycles.unit, "cycles");
  EXPECT_TRUE(cycles.judged);
  EXPECT_EQ(cycles.variance_class, "cuda/cycles");
  expected_ = Seconds(39e-6);
  EXPECT_FALSE(measure().metrics.at("sm_cycles").judged);
  expected_ = Seconds(40e-6);
  EXPECT_TRUE(measure().metrics.at("sm_cycles").judged);
  judged_ = Judged::kHostTime;
  EXPECT_FALSE(measure().metrics.at("sm_cycles").judged);
}

TEST_F(CudaSampling, CountsNoCyclesWhereTheyTellNothing) {
  EXPECT_EQ(measure().metrics.count("sm_cycles"), 0U) << "memory has a clock of its own";
  bound_ = Bound::kCompute;
  gpu_.timed_out = true;
  EXPECT_EQ(measure().metrics.count("sm_cycles"), 0U)
      << "the clock of a GPU that waits for the host";
}

TEST_F(CudaSampling, WarmsUpUntilTheClockBehindTheBodyStandsStill) {
  measure();
  const int settled = std::exchange(gpu_.flushes, 0);
  gpu_.unsettled = 1000;
  measure();
  EXPECT_GT(gpu_.flushes, settled + 500);
}

TEST_F(CudaSampling, JudgesTheTimeWithoutTheEventFloor) {
  const auto out = measure();
  EXPECT_NEAR(out.metrics.at("time").figure, 102.7, 1e-6);
  EXPECT_NEAR(out.metrics.at("net_time").figure, 100, 1e-6);
  EXPECT_TRUE(out.metrics.at("net_time").judged);
  EXPECT_FALSE(out.metrics.at("time").judged);
  EXPECT_NEAR(out.metrics.at("utilisation").figure, 0.8, 1e-9);
}

TEST_F(CudaSampling, JudgesAsReadWhatIsToBeReadAndTheHostWhereItIsAsked) {
  judged_ = Judged::kReading;
  EXPECT_TRUE(measure().metrics.at("time").judged);
  EXPECT_EQ(measure().metrics.count("net_time"), 0U);
  judged_ = Judged::kHostTime;
  const auto host_time = measure().metrics.at("host_time");
  EXPECT_TRUE(host_time.judged);
  EXPECT_EQ(host_time.statistic, Statistic::kBest);
  EXPECT_EQ(host_time.tolerance, 0.2);
}

TEST_F(CudaSampling, MakesOfASessionWhatTheBodyAsksFor) {
  CudaSampler sampler(protocol_, gpu_, nullptr, "no CUPTI here");
  Body in = body();
  EXPECT_EQ(sampler.measure(in, {}).metrics.at("net_time").statistic, Statistic::kMedian);
  in.statistic = Statistic::kBest;
  EXPECT_EQ(sampler.measure(in, {}).metrics.at("net_time").statistic, Statistic::kBest);
  FakeTracer tracer;
  const auto traced = CudaSampler(protocol_, gpu_, &tracer, "").measure(in, {});
  EXPECT_EQ(traced.metrics.at("busy_time").statistic, Statistic::kBest);
}

TEST_F(CudaSampling, GivesWhatLaunchingCostsANoiseOfItsOwn) {
  EXPECT_EQ(measure().metrics.at("net_time").variance_class, "cuda/memory/long");
  judged_ = Judged::kReading;
  EXPECT_EQ(measure().metrics.at("time").variance_class, "cuda/launch");
  judged_ = Judged::kHostTime;
  EXPECT_EQ(measure().metrics.at("host_time").variance_class, "cuda/launch");
}

TEST_F(CudaSampling, SubtractsTheFloorOfItsOwnProcessAndReportsIt) {
  ceilings_["event_floor_us"] = 4.3;  // what another process of the run had
  const auto out = measure();
  EXPECT_NEAR(out.metrics.at("net_time").figure, 100, 1e-6);
  EXPECT_NEAR(out.ceilings.at("event_floor_us"), 2.7, 1e-9);
}

TEST_F(CudaSampling, NamesNoUtilisationWhereTheRunHasNotMeasuredTheCeiling) {
  ceilings_.clear();
  EXPECT_EQ(measure().metrics.count("utilisation"), 0U);
}

TEST_F(CudaSampling, FlushesBeforeEverySampleAndPausesTwiceItsLengthAfter) {
  measure();
  EXPECT_GT(gpu_.flushes, protocol_.min_samples);
  EXPECT_NEAR(gpu_.paused.count(), 2 * gpu_.read.count(), 1e-9);
  EXPECT_EQ(std::get<std::string>(measure().protocol.at("pause")), "2 bodies");
}

TEST_F(CudaSampling, DoesNotPauseBehindWhatIsDeclaredToTakeLong) {
  expected_ = Seconds(0.03);
  EXPECT_EQ(std::get<std::string>(measure().protocol.at("pause")), "2 bodies");
  EXPECT_GT(gpu_.longest_pause, length_);
  gpu_.longest_pause = Seconds(0);
  expected_ = Seconds(0.031);
  EXPECT_EQ(std::get<std::string>(measure().protocol.at("pause")), "none");
  EXPECT_LT(gpu_.longest_pause, length_) << "the floor's alone";
}

TEST_F(CudaSampling, LoadsTheGpuOnceBeforeWhatComputesAndSaysSo) {
  CudaSampler sampler(protocol_, gpu_, nullptr, "no CUPTI here");
  sampler.settle(Bound::kMemory);
  EXPECT_EQ(gpu_.loaded, Seconds(0));
  sampler.settle(Bound::kCompute);
  sampler.settle(Bound::kCompute);
  EXPECT_EQ(gpu_.loaded, protocol_.load);
  EXPECT_EQ(sampler.measure(body(), {}).protocol.count("load"), 0U) << "of what moves memory";
  bound_ = Bound::kCompute;
  EXPECT_EQ(std::get<std::string>(sampler.measure(body(), {}).protocol.at("load")),
            "100 ms of int8 tensor cores");
}

TEST_F(CudaSampling, ClaimsNoLoadThatThisGpuHasNoKernelFor) {
  gpu_.can_load = false;
  bound_ = Bound::kCompute;
  CudaSampler sampler(protocol_, gpu_, nullptr, "no CUPTI here");
  sampler.settle(Bound::kCompute);
  EXPECT_EQ(sampler.measure(body(), {}).protocol.count("load"), 0U);
}

TEST_F(CudaSampling, MeasuresWithoutAHoldWhatRunsIntoItsTimeOutTwice) {
  gpu_.timed_out = true;
  const auto out = measure();
  EXPECT_FALSE(std::get<bool>(out.protocol.at("held")));
  EXPECT_EQ(out.discarded, 2);
  EXPECT_NEAR(out.metrics.at("net_time").figure, 100, 1e-6);
  gpu_.timed_out = false;
  EXPECT_TRUE(std::get<bool>(measure().protocol.at("held")));
}

TEST_F(CudaSampling, PlantsWhatItIsAskedForAndReportsWhatItPlanted) {
  const auto out = measure(20);
  EXPECT_NEAR(out.planted_percent.value(), 20, 1e-6);
  EXPECT_NEAR(out.metrics.at("net_time").figure, 120, 1e-6);
  gpu_.shortest_kernel = Seconds(5e-6);  // 1 % cannot be planted: 5 % is what it becomes
  EXPECT_NEAR(measure(1).planted_percent.value(), 5, 1e-6);
  EXPECT_FALSE(measure().planted_percent.has_value());
}

TEST_F(CudaSampling, SizesAPlantByTwentySamplesASideOrByAsManyAsTheBodyGets) {
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
  // One round of both, and one unplanted sample beside each planted one.
  EXPECT_EQ(runs_of(1e-4, 5) - runs_of(1e-4, 0), 2 * 20 + sample_count(protocol_, Seconds(1e-4)));
  EXPECT_EQ(runs_of(0.01, 5) - runs_of(0.01, 0), 2 * 12 + 12);
}

TEST_F(CudaSampling, SaysWhyThereIsNoTrace) {
  EXPECT_EQ(measure().environment.at("kernel_trace"), "no CUPTI here");
  EXPECT_EQ(measure().metrics.count("busy_time"), 0U);
}

TEST_F(CudaSampling, RefusesABodyThatTookNoTime) {
  CudaSampler sampler(protocol_, gpu_, nullptr, "");
  Body nothing = body();
  nothing.run = [] {};
  EXPECT_THROW(sampler.measure(nothing, {0, ceilings_}), SystemError);
}

TEST_F(CudaSampling, LeavesNoStreamHeldWhenTheBodyThrows) {
  CudaSampler sampler(protocol_, gpu_, nullptr, "");
  Body throwing = body();
  throwing.run = [] { throw std::runtime_error("on purpose"); };
  EXPECT_THROW(sampler.measure(throwing, {0, ceilings_}), std::runtime_error);
  EXPECT_FALSE(gpu_.held);
}

TEST_F(CudaSampling, TracesTheKernelsAfterTiming) {
  FakeTracer tracer;
  CudaSampler sampler(protocol_, gpu_, &tracer, "");
  const auto out = sampler.measure(body(), {0, ceilings_});
  EXPECT_NEAR(out.metrics.at("busy_time").figure, 80, 1e-9);
  EXPECT_EQ(out.metrics.at("launches").figure, 1);
  EXPECT_EQ(out.metrics.at("gap").figure, 0);
  EXPECT_FALSE(out.metrics.at("busy_time").judged);
  ASSERT_EQ(out.kernels.size(), 1U);
  EXPECT_EQ(out.kernels[0].name, "work");
  EXPECT_FALSE(tracer.running);
}

TEST_F(CudaSampling, KeepsTheTimesOfABodyThatCannotBeTraced) {
  for (const char* call : {"start", "collect"}) {
    FakeTracer tracer;
    tracer.refused = call;
    const auto out = CudaSampler(protocol_, gpu_, &tracer, "").measure(body(), {0, ceilings_});
    EXPECT_EQ(out.environment.at("kernel_trace"), call + std::string(": another profiler"));
    EXPECT_EQ(out.metrics.count("busy_time"), 0U);
    EXPECT_EQ(out.metrics.count("net_time"), 1U);
    EXPECT_FALSE(tracer.running);
  }
  FakeTracer tracer;
  tracer.lost = true;
  const auto out = CudaSampler(protocol_, gpu_, &tracer, "").measure(body(), {0, ceilings_});
  EXPECT_NE(out.environment.at("kernel_trace").find("lost"), std::string::npos);
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

TEST(CudaTraceCount, IsTenWhereTheyFitAndOneAtLeast) {
  const CudaProtocol protocol;
  EXPECT_EQ(trace_count(protocol, Seconds(1e-5)), 10);
  EXPECT_EQ(trace_count(protocol, Seconds(0.005)), 6);  // 0.1 s / 15.12 ms
  EXPECT_EQ(trace_count(protocol, Seconds(0.031)), 1);  // though it gets no pause
  EXPECT_EQ(trace_count(protocol, Seconds(0.2)), 1);
}

TEST(CudaSampleCount, DependsOnTheDeclaredLengthAlone) {
  const CudaProtocol protocol;  // 0.1 s, 120 us beside three lengths of the body
  EXPECT_EQ(sample_count(protocol, Seconds(1e-5)), 400);    // 666 would fit
  EXPECT_EQ(sample_count(protocol, Seconds(160e-6)), 166);  // 0.1 s / 600 us
  EXPECT_EQ(sample_count(protocol, Seconds(0.01)), 12);
  EXPECT_EQ(sample_count(protocol, Seconds(0.016)), 12);
  EXPECT_EQ(sample_count(protocol, Seconds(0.021)), 9);  // 0.2 s / 21.12 ms
  EXPECT_EQ(sample_count(protocol, Seconds(0.031)), 6);
  EXPECT_EQ(sample_count(protocol, Seconds(0.2)), 5);
}

}  // namespace
}  // namespace perfgate
