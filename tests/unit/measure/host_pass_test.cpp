// Bodies whose host may decide are measured once more, for the host alone.

#include "perfgate/measure/host_pass.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <utility>

#include "fixtures/cuda_sampling.h"
#include "perfgate/core/errors.h"

namespace perfgate {
namespace {

class HostPass : public testing_support::CudaSampling {
 protected:
  // Queued by the host in `host_`, and run by the device in `length_`.
  Body queued_body() {
    Body out = body();
    out.run = [this] {
      runs_on_one_core_ += on_one_core_ ? 1 : 0;
      gpu_.clock += host_;
      gpu_.queued += length_;
      if (on_one_core_ && runs_on_one_core_ == throws_at_) {
        throw std::runtime_error("the body failed");
      }
    };
    return out;
  }
  OneCore one_core() {
    return {[this] {
              on_one_core_ = true;
              began_ = gpu_.clock;
              injected_before_ = gpu_.extra_work_of.has_value();
              gpu_.extra_work_of.reset();
            },
            [this] {
              on_one_core_ = false;
              took_ = gpu_.clock - began_;
            }};
  }
  MeasuredBody pass(double inject_percent = 0) {
    CudaSampler sampler(protocol_, gpu_, nullptr, "no CUPTI here", one_core());
    return sampler.measure(queued_body(), {inject_percent, ceilings_});
  }
  static bool has_pass(const MeasuredBody& measured) {
    return measured.metrics.count(Quantity::kEnqueueTime) > 0;
  }

  Seconds host_{41e-6};
  bool on_one_core_ = false;
  int runs_on_one_core_ = 0;
  int throws_at_ = -1;
  bool injected_before_ = false;
  Seconds began_{0};
  Seconds took_{0};
};

TEST_F(HostPass, MeasuresTheHostOfALaunchBoundBodyOverItsControl) {
  length_ = Seconds(12e-6);
  gpu_.launch = Seconds(8e-6);
  const auto measured = pass();
  ASSERT_TRUE(has_pass(measured));
  const auto& enqueue = measured.metrics.at(Quantity::kEnqueueTime);
  EXPECT_NEAR(enqueue.value, 41, 1e-6);
  EXPECT_FALSE(enqueue.judged) << "hosts of one kind of GPU differ by half";
  const auto& relative = measured.metrics.at(Quantity::kRelativeEnqueueTime);
  EXPECT_NEAR(relative.value, 41.0 / 8, 1e-6) << "a stand-in takes its launch, by this GPU's clock";
  EXPECT_TRUE(relative.judged);
  EXPECT_EQ(relative.tolerance, 0.1);
  EXPECT_NEAR(measured.metrics.at(Quantity::kHostControl).value, 8, 1e-6);
  constexpr std::size_t kRuns = 26;  // of 41 us, into the control's 1.1 ms
  EXPECT_EQ(kRuns * measured.report.samples.at("enqueue_us").size(),
            static_cast<std::size_t>(runs_on_one_core_));
  EXPECT_EQ(measured.report.samples.at("host_control_us").size(),
            measured.report.samples.at("enqueue_us").size());
}

TEST_F(HostPass, LeavesADeviceBoundBodyAlone) {
  length_ = Seconds(100e-6);
  const auto measured = pass();
  EXPECT_FALSE(has_pass(measured));
  EXPECT_EQ(own_setting_of(measured.report.protocol, Quantity::kEnqueueTime), std::nullopt);
  EXPECT_EQ(measured.report.samples.count("enqueue_us"), 0U);
  EXPECT_EQ(runs_on_one_core_, 0);
}

// From half of the device's time on: whether a pass is made must not hang on who is on the host.
TEST_F(HostPass, ProposesToJudgeOnlyWhereTheHostDecides) {
  length_ = Seconds(60e-6);
  const auto measured = pass();
  ASSERT_TRUE(has_pass(measured));
  EXPECT_FALSE(measured.metrics.at(Quantity::kRelativeEnqueueTime).judged);
  length_ = Seconds(40e-6);
  EXPECT_TRUE(pass().metrics.at(Quantity::kRelativeEnqueueTime).judged);
}

TEST_F(HostPass, IsMadeOnlyWhereTheDevicesTimeAloneIsJudged) {
  length_ = Seconds(12e-6);
  for (const Judged judged :
       {Judged::kElapsed, Judged::kHost, Judged::kDeviceAndHost, Judged::kReplayAndHost}) {
    judged_ = judged;
    EXPECT_FALSE(has_pass(pass()));
    EXPECT_EQ(runs_on_one_core_, 0);
  }
}

TEST_F(HostPass, IsNotMadeWithoutAWayToKeepToOneCore) {
  length_ = Seconds(12e-6);
  CudaSampler sampler(protocol_, gpu_, nullptr, "no CUPTI here");
  EXPECT_FALSE(has_pass(sampler.measure(queued_body(), {0, ceilings_})));
}

// Then the host waits for the device, and its time is the device's.
TEST_F(HostPass, IsNotMadeOfABodyThatCannotBeQueuedWhole) {
  length_ = Seconds(12e-6);
  gpu_.timed_out = true;
  EXPECT_FALSE(has_pass(pass()));
  EXPECT_EQ(runs_on_one_core_, 0);
}

TEST_F(HostPass, LeavesWhatIsMeasuredOfTheDeviceAsItIs) {
  length_ = Seconds(12e-6);
  const auto with = pass();
  CudaSampler sampler(protocol_, gpu_, nullptr, "no CUPTI here");
  const auto without = sampler.measure(queued_body(), {0, ceilings_});
  for (const auto& [quantity, measurement] : without.metrics) {
    EXPECT_NEAR(with.metrics.at(quantity).value, measurement.value, 1e-9) << name_of(quantity);
    EXPECT_EQ(with.metrics.at(quantity).judged, measurement.judged) << name_of(quantity);
  }
  EXPECT_NE(with.report.protocol, without.report.protocol);
  EXPECT_EQ(without_own_settings(with.report.protocol), without.report.protocol);
  EXPECT_TRUE(is_same_protocol(with.report.protocol, without.report.protocol));
}

// The host would have to queue that work, too.
TEST_F(HostPass, MeasuresTheBodyWithoutInjectedWork) {
  length_ = Seconds(12e-6);
  const auto measured = pass(/*inject_percent=*/20);
  ASSERT_TRUE(has_pass(measured));
  EXPECT_TRUE(injected_before_);
  EXPECT_EQ(gpu_.extra_work_of, std::nullopt);
}

TEST_F(HostPass, LetsTheProcessRunWhereItCouldBefore) {
  length_ = Seconds(12e-6);
  ASSERT_TRUE(has_pass(pass()));
  EXPECT_GT(runs_on_one_core_, 0);
  EXPECT_FALSE(on_one_core_);
}

TEST_F(HostPass, DoesSoAlsoWhereTheBodyThrows) {
  length_ = Seconds(12e-6);
  throws_at_ = 3;
  EXPECT_THROW(pass(), std::runtime_error);
  EXPECT_EQ(runs_on_one_core_, 3);
  EXPECT_FALSE(on_one_core_);
  EXPECT_FALSE(gpu_.blocked);
}

TEST_F(HostPass, SaysNothingOfABodyThatCannotBeQueuedWholeThisTime) {
  gpu_.timed_out = true;
  EXPECT_EQ(take_host_pass(gpu_, one_core(), queued_body(), {5, 3}), std::nullopt);
  EXPECT_FALSE(on_one_core_);
}

// But for this GPU's waits, of which a sample and its control have three: each takes a tenth of a
// millisecond and what ran last.
TEST_F(HostPass, TakesNoLongerThanTheProtocolSays) {
  gpu_.launch = Seconds(7e-6);  // of a stand-in, and so 1.05 ms of a control
  for (const double host : {5e-6, 41e-6, 1e-3, 5e-3}) {
    host_ = Seconds(host);
    length_ = host_;
    expected_ = host_;
    runs_on_one_core_ = 0;
    const auto measured = pass();
    ASSERT_TRUE(has_pass(measured)) << host;
    const auto samples = static_cast<int>(measured.report.samples.at("enqueue_us").size());
    const int runs = runs_on_one_core_ / samples;
    const Seconds waits = (3 * samples + 2) * (runs * length_ + Seconds(1.1e-4));
    EXPECT_LT(took_ - waits, protocol_.host_pass) << host;
  }
}

// What comes before a run is queued before a sample, not before each run in it.
TEST_F(HostPass, RunsABodyThatSomethingComesBeforeOnceASample) {
  Body body = queued_body();
  int before = 0;
  body.before_each = [&before] { ++before; };
  const auto series = take_host_pass(gpu_, one_core(), body, {5, 3});
  ASSERT_TRUE(series);
  EXPECT_EQ(runs_on_one_core_, 5);
  EXPECT_EQ(before, 5);
  EXPECT_NEAR(series->enqueue_us[0], 41, 1e-6);
}

TEST(HostPassPlan, FillsItsTimeWithSamplesAsLongAsTheirControls) {
  const CudaProtocol protocol;
  const auto plan = [&protocol](double host, double device, double launches) {
    const auto out = host_pass_plan(protocol, Seconds(host), Seconds(device), launches);
    return std::pair(out.samples, out.runs);
  };
  EXPECT_EQ(plan(41e-6, 12e-6, 1), std::pair(22, 26));   // 58.9 ms / (26 * 53 us + 1.22 ms)
  EXPECT_EQ(plan(1e-3, 1e-3, 1), std::pair(18, 1));      // 58.9 ms / 3.22 ms
  EXPECT_EQ(plan(5e-3, 5e-3, 1), std::pair(5, 1));       // 58.9 ms / 11.22 ms
  EXPECT_EQ(plan(6e-3, 6e-3, 1), std::pair(0, 1));       // four are too few
  EXPECT_EQ(plan(41e-6, 12e-6, 100), std::pair(39, 5));  // 500 launches at once
}

// A neighbour that comes in the middle slows the body and its control alike.
TEST(HostPassMetrics, DivideEachSampleByItsOwnControl) {
  const auto metrics = host_pass_metrics({{40, 80, 79.2}, {5, 10, 9.9}}, 20);
  EXPECT_EQ(metrics.at(Quantity::kRelativeEnqueueTime).value, 8);
  EXPECT_EQ(metrics.at(Quantity::kEnqueueTime).value, 79.2);
}

TEST(HostMayDecide, FromHalfOfTheDevicesTimeOn) {
  const CudaProtocol protocol;
  EXPECT_TRUE(host_may_decide(protocol, 10, 20));
  EXPECT_FALSE(host_may_decide(protocol, 9.9, 20));
}

}  // namespace
}  // namespace perfgate
