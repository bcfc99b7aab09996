#include "perfgate/gate/decide.h"

#include <gtest/gtest.h>

#include "fixtures/history_fixture.h"
#include "perfgate/gate/interference.h"
#include "perfgate/gate/learned_baseline.h"

namespace perfgate {
namespace {

using testing_support::baseline_of;
using testing_support::judged_metric;
using testing_support::kKey;
using testing_support::kMetric;

class Decide : public testing::Test {
 protected:
  static WorkerReport measured(double net_time) {
    WorkerReport out;
    out.case_key = kKey;
    out.status = WorkerStatus::kMeasured;
    out.metrics[kMetric] = {net_time, "us", Better::kLower, true, "cuda/memory/long"};
    out.protocol = judged_metric().protocol;
    return out;
  }

  static WorkerReport failed(WorkerStatus status) {
    WorkerReport out;
    out.case_key = kKey;
    out.status = status;
    out.message = "why";
    return out;
  }

  [[nodiscard]] Outcome decided(const std::vector<WorkerReport>& reports) const {
    const LearnedBaseline learned(baseline_, policy_);
    return decide(learned.context(), reports, "A");
  }

  void record_ceiling(const std::string& name, double value) {
    for (auto& [id, session] : baseline_.sessions) {
      session.ceilings[name] = value;
    }
  }

  Policy policy_ = testing_support::policy_with({1e-6, 100}, {1e-6, 100});
  Baseline baseline_ = baseline_of({{"A", {100}}, {"A", {100}}, {"A", {100}}});
};

TEST_F(Decide, PassesAndFailsByTheJudge) {
  EXPECT_EQ(decided({measured(100)}).verdict, Verdict::kPass);
  EXPECT_EQ(decided({measured(110)}).verdict, Verdict::kRegressed);
  EXPECT_EQ(decided({measured(90)}).verdict, Verdict::kImproved);
}

TEST_F(Decide, BlamesTheMachineForAChangeThatOthersDisturbedMostProcessesOf) {
  auto disturbed = measured(110);
  disturbed.noisy = true;
  EXPECT_EQ(decided({measured(110), measured(110), disturbed}).verdict, Verdict::kRegressed);
  const auto outcome = decided({measured(110), disturbed, disturbed});
  EXPECT_EQ(outcome.verdict, Verdict::kMachineInvalid);
  EXPECT_NE(outcome.message.find("in 2 of 3 processes"), std::string::npos) << outcome.message;
  disturbed.metrics[kMetric].figure = 100;
  EXPECT_EQ(decided({disturbed}).verdict, Verdict::kPass);
}

TEST_F(Decide, GivesAWrongAnswerNoTimingVerdict) {
  const auto outcome = decided({measured(100), failed(WorkerStatus::kWrong)});
  EXPECT_EQ(outcome.verdict, Verdict::kWrong);
  EXPECT_TRUE(outcome.judgements.empty());
  EXPECT_EQ(outcome.message, "why");
}

TEST_F(Decide, CallsARecordedCaseThatNoLongerRunsLost) {
  EXPECT_EQ(decided({failed(WorkerStatus::kUnsupported)}).verdict, Verdict::kLost);
  baseline_.cases.clear();
  EXPECT_EQ(decided({failed(WorkerStatus::kUnsupported)}).verdict, Verdict::kUnsupported);
}

TEST_F(Decide, KeepsAnErrorAnErrorWhetherRecordedOrNot) {
  EXPECT_EQ(decided({failed(WorkerStatus::kError)}).verdict, Verdict::kError);
  baseline_.cases.clear();
  EXPECT_EQ(decided({failed(WorkerStatus::kError)}).verdict, Verdict::kError);
}

TEST_F(Decide, HasNoBaselineForACaseThatIsNotRecorded) {
  baseline_.cases.clear();
  EXPECT_EQ(decided({measured(100)}).verdict, Verdict::kNoBaseline);
}

TEST_F(Decide, NeverComparesFiguresOfAnotherProtocol) {
  auto report = measured(500);
  report.protocol["samples"] = std::int64_t{31};
  const auto outcome = decided({report});
  EXPECT_EQ(outcome.verdict, Verdict::kNoBaseline);
  EXPECT_TRUE(outcome.judgements.empty());
  EXPECT_NE(outcome.message.find("samples 30, now 31"), std::string::npos) << outcome.message;
}

TEST_F(Decide, CallsAJudgedMetricThatIsGoneLost) {
  auto report = measured(100);
  report.metrics.clear();
  EXPECT_EQ(decided({report}).verdict, Verdict::kLost);
}

TEST_F(Decide, JudgesCyclesByWorkersThatTellTheirTimeToo) {
  auto& record = baseline_.cases[kKey];
  record.metrics[kCycles] = judged_metric();
  for (const auto& [id, times] : record.epochs[0].figures.at(kMetric)) {
    record.epochs[0].figures[kCycles][id] = {150000};
  }
  record.metrics[kCycles].unit = "cycles";
  policy_.visible["cuda"] = {10, 10, "a test"};
  auto report = measured(100);
  report.metrics[kCycles] = {150000, "cycles", Better::kLower, true, "cuda/memory/long"};
  EXPECT_EQ(decided({report}).verdict, Verdict::kPass);
  report.metrics[kCycles].figure = 165000;
  report.metrics[kMetric].figure = 110;
  const auto slower = decided({report});
  EXPECT_EQ(slower.verdict, Verdict::kRegressed);
  EXPECT_NEAR(slower.judgement_of(kCycles)->change, 0.1, 1e-9);
  record.metrics[kMetric].judged = false;
  report.metrics.erase(kMetric);
  EXPECT_EQ(decided({report}).verdict, Verdict::kLost);
}

// A tracer that is broken would otherwise drop every case that is judged by busy time.
TEST_F(Decide, CallsAMissingKernelTraceAnUnfitMachine) {
  auto now = measured(100);
  now.metrics.clear();
  now.environment["kernel_trace"] = "libcupti.so.13: cannot open shared object file";
  const auto outcome = decided({now});
  EXPECT_EQ(outcome.verdict, Verdict::kMachineInvalid);
  EXPECT_NE(outcome.message.find("needs a kernel trace: libcupti.so.13"), std::string::npos);
  now.metrics = measured(100).metrics;  // what is not judged by the trace needs none
  EXPECT_EQ(decided({now}).verdict, Verdict::kPass);
}

// A body that begins to synchronise, as with PYTORCH_NO_CUDA_MEMORY_CACHING=1.
TEST_F(Decide, FailsACaseThatCanNoLongerBeHeld) {
  auto& record = baseline_.cases[kKey];
  record.metrics[kMetric].protocol[kHeld] = true;
  record.metrics[kCycles] = record.metrics[kMetric];  // measured of held bodies alone
  for (const auto& [id, times] : record.epochs[0].figures.at(kMetric)) {
    record.epochs[0].figures[kCycles][id] = {150000};
  }
  auto held = measured(100);
  held.protocol[kHeld] = true;
  held.metrics[kCycles] = {150000, "us", Better::kLower, true, "cuda/memory/long"};
  auto unheld = measured(2000);
  unheld.protocol[kHeld] = false;
  policy_.visible["cuda"] = {10, 10, "a test"};
  EXPECT_EQ(decided({held}).verdict, Verdict::kPass);
  const auto outcome = decided({unheld, unheld, held});
  EXPECT_EQ(outcome.verdict, Verdict::kRegressed);
  EXPECT_EQ(outcome.message.rfind("it can no longer be queued before it runs in 2 of 3", 0), 0U);
  EXPECT_NEAR(outcome.judgement_of(kMetric)->now, 2000, 1e-6);
  EXPECT_EQ(decided({unheld}).verdict, Verdict::kRegressed);
  auto as_fast = measured(100);
  as_fast.protocol[kHeld] = false;
  EXPECT_EQ(decided({as_fast, as_fast}).verdict, Verdict::kRegressed);
  EXPECT_EQ(decided({as_fast, held, held}).verdict, Verdict::kUnsteady);
  auto slower = held;  // and what is slower as well has regressed, whatever one process does
  slower.metrics[kMetric].figure = 120;
  EXPECT_EQ(decided({as_fast, slower, slower}).verdict, Verdict::kRegressed);
}

TEST_F(Decide, CallsACaseThatNeedNotWaitForTheHostAnyMoreImproved) {
  baseline_.cases[kKey].metrics[kMetric].protocol[kHeld] = false;
  auto held = measured(100);
  held.protocol[kHeld] = true;
  EXPECT_EQ(decided({held}).verdict, Verdict::kImproved);
  held.metrics[kMetric].figure = 130;
  EXPECT_EQ(decided({held}).verdict, Verdict::kRegressed);
}

TEST_F(Decide, RefusesAUnitOrDirectionThatIsNotTheMetrics) {
  auto& metric = baseline_.cases[kKey].metrics[kMetric];
  metric.better = Better::kHigher;
  const auto outcome = decided({measured(130)});
  EXPECT_EQ(outcome.verdict, Verdict::kError);
  EXPECT_NE(outcome.message.find("in us and higher is better, the case measures it in us, and "
                                 "lower is better"),
            std::string::npos)
      << outcome.message;
  metric.better = Better::kLower;
  metric.unit = "cycles";
  EXPECT_EQ(decided({measured(100)}).verdict, Verdict::kError);
}

TEST_F(Decide, PassesNothingThatWouldHaveMissedADoubling) {
  baseline_ = baseline_of({{"A", {100}}, {"A", {100}}, {"A", {100}}});
  policy_ = testing_support::policy_with({0.3 * 0.3, 100}, {1e-6, 100});
  const auto outcome = decided({measured(101)});
  EXPECT_EQ(outcome.verdict, Verdict::kBlind);
  EXPECT_NE(outcome.message.find("the policy asks for 50 %"), std::string::npos);
  EXPECT_EQ(decided({measured(1000)}).verdict, Verdict::kRegressed);  // which it did see
  policy_ = testing_support::policy_with({0.01 * 0.01, 100}, {1e-6, 100});
  EXPECT_EQ(decided({measured(101)}).verdict, Verdict::kPass);
}

// Three of five agree; two were disturbed, by as much as their own samples spread.
TEST_F(Decide, LeavesDisturbedProcessesOutBeforeItCallsACaseUnsteady) {
  const auto slow = [](double spread) {
    auto out = measured(160);
    out.samples[kMetric] = {160 - 80 * spread, 160 - 80 * spread, 160, 160 + 80 * spread,
                            160 + 80 * spread};
    return out;
  };
  const auto quiet = measured(100);
  EXPECT_EQ(decided({quiet, slow(0.02), quiet, slow(0.02), quiet}).verdict, Verdict::kUnsteady);
  EXPECT_EQ(decided({quiet, slow(0.4), quiet, slow(0.4), quiet}).verdict, Verdict::kMachineInvalid);
  EXPECT_EQ(decided({quiet, slow(0.2), quiet, slow(0.2), quiet}).verdict, Verdict::kUnsteady);
  EXPECT_EQ(decided({quiet, slow(0.4), quiet, slow(0.02), quiet}).verdict, Verdict::kUnsteady);
}

// It was recorded with such samples: they tell of the case, not of others.
TEST_F(Decide, ExplainsNothingByASpreadThatTheCaseHadWhenItWasRecorded) {
  auto unsteady = measured(110);
  unsteady.samples[kMetric] = {90, 90, 110, 130, 130};  // 36 %
  EXPECT_EQ(decided({unsteady}).verdict, Verdict::kMachineInvalid);
  auto& record = baseline_.cases[kKey];
  record.metrics[kSampleSpread] = judged_metric();
  record.metrics[kSampleSpread].judged = false;
  for (const auto& [id, times] : record.epochs[0].figures.at(kMetric)) {
    record.epochs[0].figures[kSampleSpread][id] = {0.3};
  }
  EXPECT_EQ(decided({unsteady}).verdict, Verdict::kRegressed);
}

TEST_F(Decide, LetsTheWorstOfSeveralMetricsDecide) {
  auto& record = baseline_.cases[kKey];
  record.metrics["host_time"] = judged_metric();
  record.epochs[0].figures["host_time"] = record.epochs[0].figures[kMetric];
  auto report = measured(90);  // improved
  report.metrics["host_time"] = {120, "us", Better::kLower, true, "cuda/memory/long"};
  const auto outcome = decided({report});
  EXPECT_EQ(outcome.verdict, Verdict::kRegressed);
  ASSERT_NE(outcome.deciding(), nullptr);
  EXPECT_EQ(outcome.deciding()->metric, "host_time");
}

TEST_F(Decide, DoesNotJudgeOnAMachineThatIsNotTheBaselines) {
  record_ceiling("triad_gb_per_s", 10);
  auto report = measured(110);
  report.ceilings["triad_gb_per_s"] = 9.5;
  EXPECT_EQ(decided({report}).verdict, Verdict::kRegressed);
  report.ceilings["triad_gb_per_s"] = 7;  // 10 / 7 = 1.43
  EXPECT_EQ(decided({report}).verdict, Verdict::kMachineInvalid);
  report.ceilings["triad_gb_per_s"] = 14;
  EXPECT_EQ(decided({report}).verdict, Verdict::kMachineInvalid);
}

// By the median of the processes.
TEST_F(Decide, DoubtsAChangeOnAMachineThatIsNotQuiteTheBaselines) {
  record_ceiling("triad_gb_per_s", 10);
  auto fast = measured(110);
  fast.ceilings["triad_gb_per_s"] = 10;
  auto slow = measured(110);
  slow.ceilings["triad_gb_per_s"] = 8.5;  // 10 / 8.5 = 1.18
  EXPECT_EQ(decided({fast, slow, fast}).verdict, Verdict::kRegressed);
  const auto outcome = decided({slow, fast, slow});
  EXPECT_EQ(outcome.verdict, Verdict::kMachineInvalid);
  EXPECT_EQ(outcome.message.rfind("it looks changed, but the machine's triad", 0), 0U);
  slow.metrics[kMetric].figure = 100;
  EXPECT_EQ(decided({slow}).verdict, Verdict::kPass);
}

TEST_F(Decide, DoubtsAChangeWhoseSamplesAreUnsteady) {
  auto steady = measured(110);
  steady.samples[kMetric] = {109, 110, 110, 111};
  auto unsteady = measured(110);
  unsteady.samples[kMetric] = {90, 90, 110, 130, 130};  // their middle half: 40 of 110
  EXPECT_EQ(decided({steady, unsteady, steady}).verdict, Verdict::kRegressed);
  const auto outcome = decided({unsteady, steady, unsteady});
  EXPECT_EQ(outcome.verdict, Verdict::kMachineInvalid);
  EXPECT_EQ(outcome.message,
            "it looks changed, but the middle half of a process's samples spans 36.4 %, as it does "
            "beside others");
  unsteady.metrics[kMetric].figure = 100;
  EXPECT_EQ(decided({unsteady, unsteady}).verdict, Verdict::kPass);
}

// Up to twice what a control is off, or samples span: 22 and 36 %.
TEST_F(Decide, BelievesAChangeThatTheMachineDoesNotExplain) {
  record_ceiling("triad_gb_per_s", 10);
  auto slow = measured(100);
  slow.ceilings["triad_gb_per_s"] = 8.5;
  auto unsteady = measured(100);
  unsteady.samples[kMetric] = {100, 104, 110, 116, 120};  // their middle half: 11 %
  const auto decides = [&](WorkerReport report, double figure) {
    report.metrics[kMetric].figure = figure;
    return decided({report}).verdict;
  };
  EXPECT_EQ(decides(unsteady, 120), Verdict::kMachineInvalid);
  EXPECT_EQ(decides(unsteady, 124), Verdict::kRegressed);
  EXPECT_EQ(decides(unsteady, 100 / 1.20), Verdict::kMachineInvalid);
  EXPECT_EQ(decides(unsteady, 100 / 1.24), Verdict::kImproved);
  EXPECT_EQ(decides(slow, 134), Verdict::kMachineInvalid);
  EXPECT_EQ(decides(slow, 137), Verdict::kRegressed);
}

TEST_F(Decide, DoubtsNoChangeForAnotherThatItDoubts) {
  auto& record = baseline_.cases[kKey];
  record.metrics["host_time"] = judged_metric();
  record.epochs[0].figures["host_time"] = record.epochs[0].figures[kMetric];
  auto report = measured(90);
  report.samples[kMetric] = {90, 90, 110, 130, 130};
  report.metrics["host_time"] = {120, "us", Better::kLower, true, "cuda/memory/long"};
  EXPECT_EQ(decided({report}).verdict, Verdict::kRegressed);
}

TEST_F(Decide, BelievesAChangeWhoseSamplesItDoesNotSee) {
  auto other = measured(110);
  other.samples["control_us"] = {90, 90, 110, 130, 130};
  EXPECT_EQ(decided({other}).verdict, Verdict::kRegressed);
}

TEST_F(Decide, DoubtsNothingOnAKindOfDeviceThatNobodyShares) {
  policy_.machine.clear();
  record_ceiling("triad_gb_per_s", 10);
  auto report = measured(110);
  report.ceilings["triad_gb_per_s"] = 5;
  report.samples[kMetric] = {90, 90, 110, 130, 130};
  EXPECT_EQ(decided({report}).verdict, Verdict::kRegressed);
}

TEST_F(Decide, ObjectsOnlyToCeilingsThatTheBaselineKnows) {
  EXPECT_EQ(machine_objection(baseline_, 0.3, {{"fma_gflop_per_s", 1}}), "");
}

}  // namespace
}  // namespace perfgate
