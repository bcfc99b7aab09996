// What the host takes, of two builds on one host.

#include "perfgate/gate/paired_host.h"

#include <gtest/gtest.h>

#include <string>

#include "fixtures/history_fixture.h"
#include "perfgate/gate/paired.h"

namespace perfgate {
namespace {

constexpr const char* kDevice = "cuda/memory/long";
constexpr const char* kHost = "cuda/enqueue";
constexpr const char* kRelative = "cuda/relative_enqueue";

// A body that takes the device 12 us, unless it is said otherwise.
struct Host {
  double enqueue_us = 40;
  double control_us = 8;
  double device_us = 12;
};

WorkerReport process(const Host& host) {
  WorkerReport out;
  out.case_key = "a/case";
  out.status = WorkerStatus::kMeasured;
  out.metrics[kNetTime] = {host.device_us, true, kDevice};
  out.metrics[kHostTime] = {host.enqueue_us, false, kDevice};
  out.phases[Phase::kWhole] = {};
  if (host.enqueue_us < host.device_us / 2) {
    return out;
  }
  const bool decides = host.enqueue_us >= host.device_us;
  out.metrics[kEnqueueTime] = {host.enqueue_us, false, kHost, Statistic::kMedian, 0.1};
  out.metrics[kRelativeEnqueueTime] = {host.enqueue_us / host.control_us, decides, kRelative,
                                       Statistic::kMedian, 0.1};
  out.metrics[kHostControl] = {host.control_us, false, kRelative};
  out.phases[Phase::kWhole].protocol[kHostPass] = std::string("40 samples");
  return out;
}

class PairedHost : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {kHost, kRelative}) {
      policy_.classes[name] = {{1e-4, 4}, {1e-4, 4}, "a test"};
    }
  }
  // Four pairs: hosts steady to `noise`, devices to 0.1 %.
  [[nodiscard]] static PairedReports pairs(const Host& before, const Host& now,
                                           double noise = 0.01) {
    PairedReports out{"a/case", {}, {}};
    for (const double sign : {1.0, -1.0, 1.0, -1.0}) {
      const auto varied = [sign](const Host& host, double by) {
        return Host{host.enqueue_us * (1 + by * sign), host.control_us,
                    host.device_us * (1 + 0.0005 * sign)};
      };
      out.before.push_back(process(varied(before, 0)));
      out.now.push_back(process(varied(now, noise)));
    }
    return out;
  }
  [[nodiscard]] PairedOutcome judged(const PairedReports& reports) const {
    const PairedCase paired = paired_case(reports, policy_);
    const PairedPriors priors({paired}, policy_, "cuda");
    return judge_paired(paired, {policy_, "cuda", priors, paired_looks(4, 4), 0, 3});
  }
  Policy policy_ = testing_support::policy_with({1e-7, 100}, {1e-6, 100});
};

TEST_F(PairedHost, FindsADispatchThatIsAFifthSlower) {
  const auto outcome = judged(pairs({}, {.enqueue_us = 48}));
  EXPECT_EQ(outcome.verdict, Verdict::kRegressed);
  ASSERT_NE(outcome.deciding(), nullptr);
  EXPECT_TRUE(is_of_host_pass(outcome.deciding()->metric.quantity));
  EXPECT_NEAR(outcome.deciding()->change, 0.2, 0.01);
  EXPECT_EQ(outcome.judgements.size(), 3U) << "device, host, and host over its control";
}

TEST_F(PairedHost, PassesWhatIsAsFastAsBefore) {
  const auto outcome = judged(pairs({}, {}));
  EXPECT_EQ(outcome.verdict, Verdict::kPass);
  EXPECT_TRUE(outcome.decided);
  EXPECT_EQ(outcome.deciding()->metric, kNetTime);
  EXPECT_EQ(judged(pairs({}, {.enqueue_us = 42})).verdict, Verdict::kPass) << "within tolerance";
}

// Its control launches no faster, and over that the body even looks faster.
TEST_F(PairedHost, FindsWhatSlowsEveryLaunch) {
  const auto reports = pairs({}, {.enqueue_us = 70, .control_us = 38});
  const auto outcome = judged(reports);
  EXPECT_EQ(outcome.verdict, Verdict::kRegressed);
  EXPECT_EQ(outcome.deciding()->metric, kEnqueueTime);
  EXPECT_EQ(control_change(reports, Phase::kWhole), ControlChange::kSlower);
}

TEST_F(PairedHost, TellsLaunchesFromLibTorchsOwnPartByTheControl) {
  EXPECT_EQ(control_change(pairs({}, {.enqueue_us = 48}), Phase::kWhole), ControlChange::kSame);
  EXPECT_EQ(control_change(pairs({}, {.enqueue_us = 48, .control_us = 8.01}), Phase::kWhole),
            ControlChange::kSame)
      << "by too little";
  EXPECT_EQ(control_change(pairs({.enqueue_us = 1}, {.enqueue_us = 1}), Phase::kWhole),
            std::nullopt);
}

// The time itself is lost in others' work; over the control it is not.
TEST_F(PairedHost, FindsASlowerDispatchBesideOthersOnTheProcessor) {
  PairedReports reports = pairs({}, {.enqueue_us = 48});
  for (std::size_t i = 0; i < reports.now.size(); ++i) {
    const double busy = i % 2 == 0 ? 2 : 1;
    for (const Metric metric : {kEnqueueTime, kHostControl}) {
      reports.now[i].metrics.at(metric).value *= busy;
      reports.before[i].metrics.at(metric).value *= 3 - busy;
    }
  }
  const auto outcome = judged(reports);
  EXPECT_EQ(outcome.verdict, Verdict::kRegressed);
  EXPECT_EQ(outcome.deciding()->metric, kRelativeEnqueueTime);
}

TEST_F(PairedHost, JudgesNoHostThatDecidesInNeitherBuild) {
  const auto outcome = judged(pairs({.device_us = 70}, {.enqueue_us = 60, .device_us = 70}));
  EXPECT_EQ(outcome.verdict, Verdict::kPass);
  EXPECT_EQ(outcome.judgements.size(), 1U);
}

TEST_F(PairedHost, JudgesAHostThatDecidesInEither) {
  EXPECT_EQ(judged(pairs({.device_us = 70}, {.enqueue_us = 80, .device_us = 70})).verdict,
            Verdict::kRegressed);
  EXPECT_EQ(judged(pairs({.enqueue_us = 80, .device_us = 70}, {.device_us = 70})).verdict,
            Verdict::kImproved);
}

TEST_F(PairedHost, FindsABodyThatIsLaunchBoundNowAndWasFarFromIt) {
  const auto outcome = judged(pairs({.enqueue_us = 10, .device_us = 25}, {.device_us = 25}));
  EXPECT_EQ(outcome.verdict, Verdict::kRegressed);
  EXPECT_EQ(outcome.message,
            "launch-bound now: the host takes 40 us to queue it, the device 25 us to run it; "
            "before, the host took 10 us");
  auto one_as_before = pairs({.enqueue_us = 10, .device_us = 25}, {.device_us = 25});
  one_as_before.now[2] = one_as_before.before[2];
  EXPECT_EQ(judged(one_as_before).verdict, Verdict::kPass) << "not in every process";
}

TEST_F(PairedHost, ComparesNoTwoKindsOfPasses) {
  auto reports = pairs({}, {.enqueue_us = 60});
  for (auto& report : reports.now) {
    report.phases.at(Phase::kWhole).protocol[kHostPass] = std::string("80 samples");
  }
  EXPECT_EQ(judged(reports).judgements.size(), 1U);
}

// Nor does it hide a device that is.
TEST_F(PairedHost, MakesNoCaseBlind) {
  policy_.mde_limits["cuda"] = {0.3, 1, "a test"};
  const auto wide_host = judged(pairs({}, {}, 0.3));
  EXPECT_EQ(wide_host.verdict, Verdict::kPass);
  EXPECT_EQ(wide_host.deciding()->metric, kNetTime);
  policy_.classes[kDevice] = {{0.5 * 0.5, 100}, {1e-6, 100}, "a test"};
  EXPECT_EQ(judged(pairs({}, {})).verdict, Verdict::kBlind);
}

}  // namespace
}  // namespace perfgate
