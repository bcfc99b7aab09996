// What the host takes to queue a body, and the control beside it.

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <variant>

#include "fixtures/cuda_sampling.h"
#include "perfgate/measure/cuda_metrics.h"

namespace perfgate {
namespace {

using testing_support::CudaSampling;

TEST_F(CudaSampling, JudgesTheHostsTimeOverItsControlsBesideTheDevicesTime) {
  judged_ = Judged::kDeviceAndHost;
  bound_ = Bound::kCompute;
  gpu_.launch = Seconds(4e-6);
  Body launches = body();
  launches.run = [this] {
    gpu_.clock += Seconds(1e-3);
    gpu_.queued += length_;
  };
  CudaSampler sampler(protocol_, gpu_, nullptr, "no CUPTI here");
  const auto [metrics, report, execution] = sampler.measure(launches, {});
  EXPECT_TRUE(execution.empty());
  EXPECT_TRUE(metrics.at(Quantity::kNetTime).judged);
  EXPECT_TRUE(metrics.at(Quantity::kCycles).judged);
  EXPECT_FALSE(metrics.at(Quantity::kHostTime).judged);
  EXPECT_NEAR(metrics.at(Quantity::kHostTime).value, 1000, 1e-6);
  const auto& host = metrics.at(Quantity::kRelativeHostTime);
  EXPECT_NEAR(host.value, 250, 1e-6) << "a stand-in takes its launch, by this GPU's clock";
  EXPECT_TRUE(host.judged);
  EXPECT_EQ(host.variance_class, "cuda/host");
  EXPECT_EQ(host.statistic, Statistic::kMedian);
  EXPECT_EQ(host.tolerance, 0.05);
  EXPECT_NEAR(metrics.at(Quantity::kHostControl).value, 4, 1e-9);
  EXPECT_FALSE(metrics.at(Quantity::kHostControl).judged);
  EXPECT_EQ(report.samples.at("host_control_us").size(), report.samples.at("host_us").size());
  EXPECT_EQ(std::get<std::string>(report.protocol.at("host_control")), "host-1");
}

TEST_F(CudaSampling, LeavesTheHostAloneWhereItIsNotJudgedBesideTheDevice) {
  for (const Judged judged : {Judged::kDeviceTime, Judged::kHost, Judged::kElapsed}) {
    judged_ = judged;
    const auto [metrics, report, execution] = measure();
    EXPECT_EQ(metrics.count(Quantity::kRelativeHostTime), 0U);
    EXPECT_EQ(report.samples.count("host_control_us"), 0U);
    EXPECT_EQ(report.protocol.count("host_control"), 0U);
  }
}

// Between kernels that are queued one by one there are gaps, which are the host's.
TEST(CudaMetrics, JudgesBusyTimeOfKernelsThatAreQueuedOneByOne) {
  TraceSummary trace;
  trace.busy = Seconds(1e-3);
  Body body;
  for (const auto& [judged, busy_is_judged] :
       {std::pair{Judged::kDeviceAndHost, true}, std::pair{Judged::kReplayAndHost, false},
        std::pair{Judged::kDeviceTime, false}}) {
    body.judged = judged;
    EXPECT_EQ(trace_metrics(trace, body).at(Quantity::kBusyTime).judged, busy_is_judged);
  }
}

TEST_F(CudaSampling, JudgesTheReplayOfAGraphAndWhatTheHostTakesForIt) {
  judged_ = Judged::kReplayAndHost;
  const auto [metrics, report, execution] = measure();
  EXPECT_TRUE(metrics.at(Quantity::kNetTime).judged);
  EXPECT_TRUE(metrics.at(Quantity::kRelativeHostTime).judged);
}

// A neighbour that comes in the middle slows the body and its control alike.
TEST(CudaMetrics, DividesEachSampleOfTheHostByItsOwnControl) {
  Body body;
  body.traffic = {{1e6}, {}, Bound::kMemory};
  body.judged = Judged::kDeviceAndHost;
  const CudaSeries series{{100, 100, 100}, {500, 1000, 990}, {5, 10, 10}, {1980, 1980, 1980}, {}};
  const auto metrics = cuda_metrics(series, body, 3, true, {});
  EXPECT_EQ(metrics.at(Quantity::kRelativeHostTime).value, 100);
  EXPECT_EQ(metrics.at(Quantity::kHostTime).value, 990);
}

}  // namespace
}  // namespace perfgate
