// Two builds of one case: which metrics are judged, what a failure on one side means, and what all
// of it adds up to.

#include "perfgate/gate/paired.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fixtures/history_fixture.h"

namespace perfgate {
namespace {

using testing_support::policy_with;

const std::string kClass = testing_support::judged_metric().variance_class;

WorkerReport measured(double net_time) {
  WorkerReport out;
  out.case_key = "a/case";
  out.status = WorkerStatus::kMeasured;
  out.metrics[kNetTime] = {net_time, true, kClass};
  out.phases[Phase::kWhole] = {};
  return out;
}

WorkerReport failed(WorkerStatus status, const std::string& message = "why") {
  WorkerReport out;
  out.case_key = "a/case";
  out.status = status;
  out.message = message;
  return out;
}

// Four pairs, steady to 0.1 %.
PairedReports pairs(double before, double now) {
  PairedReports out{"a/case", {}, {}};
  for (const double noise : {1.0005, 0.9995, 1.0005, 0.9995}) {
    out.before.push_back(measured(before));
    out.now.push_back(measured(now * noise));
  }
  return out;
}

class Paired : public testing::Test {
 protected:
  [[nodiscard]] PairedOutcome judged(const PairedReports& reports) const {
    const PairedCase paired = paired_case(reports, policy_);
    const PairedPriors priors({paired}, policy_, "cuda");
    return judge_paired(paired, {policy_, "cuda", priors, paired_looks(4, 16), 0, 1});
  }
  [[nodiscard]] PairedOutcome judged(const WorkerReport& before, const WorkerReport& now) const {
    return judged(PairedReports{"a/case", {before}, {now}});
  }
  Policy policy_ = policy_with({1e-7, 100}, {1e-6, 100});
};

TEST_F(Paired, SaysHowMuchSlowerTheNewerBuildIs) {
  const auto outcome = judged(pairs(100, 103));
  EXPECT_EQ(outcome.verdict, Verdict::kRegressed);
  EXPECT_TRUE(outcome.decided);
  ASSERT_NE(outcome.deciding(), nullptr);
  EXPECT_NEAR(outcome.deciding()->change, 0.03, 1e-6);
  EXPECT_DOUBLE_EQ(outcome.deciding()->before, 100);
}

TEST_F(Paired, PassesWhatIsFasterOrEqual) {
  EXPECT_EQ(judged(pairs(103, 100)).verdict, Verdict::kImproved);
  const auto equal = judged(pairs(100, 100));
  EXPECT_EQ(equal.verdict, Verdict::kPass);
  EXPECT_TRUE(equal.decided);
}

TEST_F(Paired, CallsALowerUtilisationSlower) {
  auto reports = pairs(0.8, 0.7);
  for (auto* side : {&reports.before, &reports.now}) {
    for (auto& report : *side) {
      report.metrics[kUtilisation] = report.metrics.at(kNetTime);
      report.metrics.erase(kNetTime);
    }
  }
  const auto outcome = judged(reports);
  EXPECT_EQ(outcome.verdict, Verdict::kRegressed);
  EXPECT_NEAR(outcome.deciding()->change, 0.8 / 0.7 - 1, 1e-6);
}

TEST_F(Paired, LeavesOutCyclesAndWhatCompilingTook) {
  auto reports = pairs(100, 100);
  for (auto& report : reports.now) {
    report.metrics[kCycles] = {2000, true, kClass};
    report.metrics[kTime.in(Phase::kCompile)] = {2e6, true, kClass};
  }
  for (auto& report : reports.before) {
    report.metrics[kCycles] = {1000, true, kClass};
    report.metrics[kTime.in(Phase::kCompile)] = {1e6, true, kClass};
  }
  const auto outcome = judged(reports);
  EXPECT_EQ(outcome.verdict, Verdict::kPass);
  EXPECT_EQ(outcome.judgements.size(), 1);
}

TEST_F(Paired, HoldsAMetricToItsOwnToleranceWhereItHasOne) {
  auto reports = pairs(100, 103);
  for (auto* side : {&reports.before, &reports.now}) {
    for (auto& report : *side) {
      report.metrics.at(kNetTime).tolerance = 0.05;
    }
  }
  EXPECT_EQ(judged(reports).verdict, Verdict::kPass);
}

TEST_F(Paired, FailsWhatFailsNowAndDidNotBefore) {
  for (const auto& [status, verdict] : {std::pair(WorkerStatus::kWrong, Verdict::kWrong),
                                        std::pair(WorkerStatus::kError, Verdict::kError),
                                        std::pair(WorkerStatus::kUnsupported, Verdict::kLost)}) {
    const auto outcome = judged(measured(100), failed(status));
    EXPECT_EQ(outcome.verdict, verdict);
  }
}

TEST_F(Paired, CallsWhatIsKilledForItsLengthSlower) {
  auto before = measured(100);
  before.metrics[kTime] = {8000, false, kClass};  // 8 ms
  auto killed = failed(WorkerStatus::kError, "worker: no result within 120 s: killed");
  EXPECT_EQ(judged(before, killed).verdict, Verdict::kError) << "it does not say why it was killed";
  killed.killed_after_s = 120;
  const auto outcome = judged(before, killed);
  EXPECT_EQ(outcome.verdict, Verdict::kRegressed);
  EXPECT_EQ(outcome.message,
            "worker: no result within 120 s: killed. Its runs took 8 ms before the change: it is "
            "slower by a factor of 3000 at least, or hangs");
  before.metrics[kTime].value = 20e6;  // 20 s
  EXPECT_EQ(judged(before, killed).verdict, Verdict::kError) << "it may have taken as long before";
  EXPECT_EQ(judged(killed, killed).verdict, Verdict::kError) << "nobody knows what it took";
}

TEST_F(Paired, FailsANewCaseThatIsWrong) {
  const auto outcome = judged(failed(WorkerStatus::kUnsupported), failed(WorkerStatus::kWrong));
  EXPECT_EQ(outcome.verdict, Verdict::kWrong);
  EXPECT_FALSE(outcome.incomparable);
}

TEST_F(Paired, JudgesNothingThatOnlyTheNewerBuildRuns) {
  for (const auto status :
       {WorkerStatus::kWrong, WorkerStatus::kError, WorkerStatus::kUnsupported}) {
    const auto outcome = judged(failed(status, "no such operator"), measured(100));
    EXPECT_EQ(outcome.verdict, Verdict::kNoBaseline);
    EXPECT_EQ(outcome.message, "runs now; before: no such operator");
  }
}

TEST_F(Paired, NeverPassesWhatFailsInBoth) {
  const auto error = failed(WorkerStatus::kError);
  EXPECT_TRUE(judged(error, error).incomparable);
  const auto unsupported = failed(WorkerStatus::kUnsupported);
  EXPECT_EQ(judged(unsupported, unsupported).verdict, Verdict::kUnsupported);
}

TEST_F(Paired, IsBlindWhereNoSlowdownWouldHaveBeenSeen) {
  policy_.mde_limits["cuda"] = {1e-6, 1e-6, "a test"};
  const auto equal = judged(pairs(100, 100));
  EXPECT_EQ(equal.verdict, Verdict::kBlind);
  EXPECT_NE(equal.message.find("its MDE is"), std::string::npos);
  EXPECT_EQ(judged(pairs(100, 103)).verdict, Verdict::kRegressed) << "which it did see";
  // What is faster gets more pairs first, and is not believed at the end either.
  const auto faster = judged(pairs(103, 100));
  EXPECT_EQ(faster.verdict, Verdict::kImproved);
  EXPECT_FALSE(faster.decided);
  const PairedCase paired = paired_case(pairs(103, 100), policy_);
  const PairedPriors priors({paired}, policy_, "cuda");
  const auto last = judge_paired(paired, {policy_, "cuda", priors, paired_looks(4, 4), 0, 1});
  EXPECT_EQ(last.verdict, Verdict::kBlind);
  EXPECT_NE(last.message.find("it looks faster"), std::string::npos);
}

TEST_F(Paired, ComparesNoTwoProtocols) {
  auto reports = pairs(100, 100);
  for (auto& report : reports.now) {
    report.phases[Phase::kWhole].protocol["samples"] = std::int64_t{7};
  }
  const auto outcome = judged(reports);
  EXPECT_EQ(outcome.verdict, Verdict::kNoBaseline);
  EXPECT_TRUE(outcome.incomparable);
}

TEST_F(Paired, FindsThatABodyWaitsForTheHostAsItDidNot) {
  auto reports = pairs(100, 100);
  const auto set = [](std::vector<WorkerReport>& side, bool queued) {
    for (auto& report : side) {
      report.phases[Phase::kWhole].protocol[kQueuedWhole] = queued;
    }
  };
  set(reports.before, true);
  set(reports.now, false);
  EXPECT_EQ(judged(reports).verdict, Verdict::kRegressed);
  reports.now.front().phases[Phase::kWhole].protocol[kQueuedWhole] = true;
  EXPECT_EQ(judged(reports).verdict, Verdict::kPass) << "a body at the edge is no finding";
}

TEST_F(Paired, JudgesNothingOnAMachineThatIsUnfit) {
  auto reports = pairs(100, 200);
  reports.before.back().why_unfit = "throttled";
  const auto outcome = judged(reports);
  EXPECT_EQ(outcome.verdict, Verdict::kMachineInvalid);
}

TEST_F(Paired, IsBlindWhereADoublingWouldPass) {
  policy_.classes.at(kClass).session = {9, 100};
  policy_.mde_limits["cuda"].known = 0.5;
  const PairedCase paired = paired_case(pairs(100, 100), policy_);
  const PairedPriors priors({paired}, policy_, "cuda");
  const auto outcome = judge_paired(paired, {policy_, "cuda", priors, paired_looks(4, 4), 0, 1});
  EXPECT_EQ(outcome.verdict, Verdict::kBlind);
}

TEST_F(Paired, TakesThePolicysNoiseWhereThereAreFewCases) {
  const PairedPriors priors({paired_case(pairs(100, 100), policy_)}, policy_, "cuda");
  const auto prior = priors.of({true, std::nullopt, kClass});
  EXPECT_NEAR(prior.variance, 2 * 1e-7 / variance_of_median(5), 1e-12);
  EXPECT_EQ(prior.degrees, 100);
}

TEST_F(Paired, TrustsThePolicysNoiseNoFurtherThanItSaysOfTheKindOfDevice) {
  policy_.paired.prior_degrees = {{"cuda", 2}};
  const auto degrees = [this](const std::string& kind) {
    return PairedPriors({}, policy_, kind).of({true, std::nullopt, kClass}).degrees;
  };
  EXPECT_EQ(degrees("cuda"), 2);
  EXPECT_EQ(degrees("cpu"), 100);
}

TEST_F(Paired, FitsANoiseWhereThereAreEnoughCases) {
  const std::vector<PairedCase> cases(8, paired_case(pairs(100, 100), policy_));
  const PairedPriors priors(cases, policy_, "cuda");
  const auto prior = priors.of({true, std::nullopt, kClass});
  const double own = deviations(cases.front().series.front().differences.logs).variance();
  EXPECT_NEAR(prior.variance / own, 1, 0.2);
}

}  // namespace
}  // namespace perfgate
