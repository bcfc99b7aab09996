#include "perfgate/gate/interference.h"

#include <gtest/gtest.h>

#include "fixtures/decide_fixture.h"

namespace perfgate {
namespace {

using testing_support::judged_metric;
using testing_support::kKey;
using testing_support::kMetric;

using Interference = testing_support::DecideTest;

// The series of samples that the judged metric is of.
const std::string kSeries(name_of(kMetric.quantity));

TEST_F(Interference, BlamesTheMachineForAChangeThatOthersDisturbedMostProcessesOf) {
  auto disturbed = measured(110);
  disturbed.phases[Phase::kWhole].noisy = true;
  EXPECT_EQ(decided({measured(110), measured(110), disturbed}).verdict, Verdict::kRegressed);
  const auto outcome = decided({measured(110), disturbed, disturbed});
  EXPECT_EQ(outcome.verdict, Verdict::kMachineInvalid);
  EXPECT_NE(outcome.message.find("in 2 of 3 processes"), std::string::npos) << outcome.message;
  disturbed.metrics[kMetric].value = 100;
  EXPECT_EQ(decided({disturbed}).verdict, Verdict::kPass);
}

// Three of five agree; two were disturbed, by as much as their own samples spread.
TEST_F(Interference, LeavesDisturbedProcessesOutBeforeItCallsACaseUnsteady) {
  const auto slow = [](double spread) {
    auto out = measured(160);
    out.phases[Phase::kWhole].samples[kSeries] = {160 - 80 * spread, 160 - 80 * spread, 160,
                                                  160 + 80 * spread, 160 + 80 * spread};
    return out;
  };
  const auto quiet = measured(100);
  EXPECT_EQ(decided({quiet, slow(0.02), quiet, slow(0.02), quiet}).verdict, Verdict::kUnsteady);
  EXPECT_EQ(decided({quiet, slow(0.4), quiet, slow(0.4), quiet}).verdict, Verdict::kMachineInvalid);
  EXPECT_EQ(decided({quiet, slow(0.2), quiet, slow(0.2), quiet}).verdict, Verdict::kUnsteady);
  EXPECT_EQ(decided({quiet, slow(0.4), quiet, slow(0.02), quiet}).verdict, Verdict::kUnsteady);
}

// It was recorded with such samples: they tell of the case, not of others.
TEST_F(Interference, ExplainsNothingByASpreadThatTheCaseHadWhenItWasRecorded) {
  auto unsteady = measured(110);
  unsteady.phases[Phase::kWhole].samples[kSeries] = {90, 90, 110, 130, 130};  // 36 %
  EXPECT_EQ(decided({unsteady}).verdict, Verdict::kMachineInvalid);
  auto& record = baseline_.cases[kKey];
  record.metrics[kSampleSpread] = judged_metric();
  record.metrics[kSampleSpread].judged = false;
  for (const auto& [id, times] : record.revisions[0].measurements.at(kMetric)) {
    record.revisions[0].measurements[kSampleSpread][id] = {0.3};
  }
  EXPECT_EQ(decided({unsteady}).verdict, Verdict::kRegressed);
}

TEST_F(Interference, DoesNotJudgeOnAMachineThatIsNotTheBaselines) {
  record_ceiling({"triad", Unit::kGbPerS}, 10);
  auto report = measured(110);
  report.phases[Phase::kWhole].ceilings[{"triad", Unit::kGbPerS}] = 9.5;
  EXPECT_EQ(decided({report}).verdict, Verdict::kRegressed);
  report.phases[Phase::kWhole].ceilings[{"triad", Unit::kGbPerS}] = 7;  // 10 / 7 = 1.43
  EXPECT_EQ(decided({report}).verdict, Verdict::kMachineInvalid);
  report.phases[Phase::kWhole].ceilings[{"triad", Unit::kGbPerS}] = 14;
  EXPECT_EQ(decided({report}).verdict, Verdict::kMachineInvalid);
}

// By the median of the processes.
TEST_F(Interference, ExplainsAChangeOnAMachineThatIsNotQuiteTheBaselines) {
  record_ceiling({"triad", Unit::kGbPerS}, 10);
  auto fast = measured(110);
  fast.phases[Phase::kWhole].ceilings[{"triad", Unit::kGbPerS}] = 10;
  auto slow = measured(110);
  slow.phases[Phase::kWhole].ceilings[{"triad", Unit::kGbPerS}] = 8.5;  // 10 / 8.5 = 1.18
  EXPECT_EQ(decided({fast, slow, fast}).verdict, Verdict::kRegressed);
  const auto outcome = decided({slow, fast, slow});
  EXPECT_EQ(outcome.verdict, Verdict::kMachineInvalid);
  EXPECT_EQ(outcome.message.rfind("it looks changed, but beside it the machine's triad", 0), 0U);
  slow.metrics[kMetric].value = 100;
  EXPECT_EQ(decided({slow}).verdict, Verdict::kPass);
}

TEST_F(Interference, ExplainsAChangeWhoseSamplesAreUnsteady) {
  auto steady = measured(110);
  steady.phases[Phase::kWhole].samples[kSeries] = {109, 110, 110, 111};
  auto unsteady = measured(110);
  unsteady.phases[Phase::kWhole].samples[kSeries] = {90, 90, 110, 130,
                                                     130};  // interquartile: 40 of 110
  EXPECT_EQ(decided({steady, unsteady, steady}).verdict, Verdict::kRegressed);
  const auto outcome = decided({unsteady, steady, unsteady});
  EXPECT_EQ(outcome.verdict, Verdict::kMachineInvalid);
  EXPECT_EQ(
      outcome.message,
      "it looks changed, but the interquartile range of a process's samples is 36.4 %, as it is "
      "beside others");
  unsteady.metrics[kMetric].value = 100;
  EXPECT_EQ(decided({unsteady, unsteady}).verdict, Verdict::kPass);
}

// Up to twice what a control is off, or samples span: 22 and 36 %.
TEST_F(Interference, BelievesAChangeThatTheMachineDoesNotExplain) {
  record_ceiling({"triad", Unit::kGbPerS}, 10);
  auto slow = measured(100);
  slow.phases[Phase::kWhole].ceilings[{"triad", Unit::kGbPerS}] = 8.5;
  auto unsteady = measured(100);
  unsteady.phases[Phase::kWhole].samples[kSeries] = {100, 104, 110, 116,
                                                     120};  // interquartile: 11 %
  const auto decides = [&](WorkerReport report, double value) {
    report.metrics[kMetric].value = value;
    return decided({report}).verdict;
  };
  EXPECT_EQ(decides(unsteady, 120), Verdict::kMachineInvalid);
  EXPECT_EQ(decides(unsteady, 124), Verdict::kRegressed);
  EXPECT_EQ(decides(unsteady, 100 / 1.20), Verdict::kMachineInvalid);
  EXPECT_EQ(decides(unsteady, 100 / 1.24), Verdict::kImproved);
  EXPECT_EQ(decides(slow, 134), Verdict::kMachineInvalid);
  EXPECT_EQ(decides(slow, 137), Verdict::kRegressed);
}

TEST_F(Interference, ExplainsNoChangeByAnotherThatItExplains) {
  auto& record = baseline_.cases[kKey];
  record.metrics[kHostTime] = judged_metric();
  record.revisions[0].measurements[kHostTime] = record.revisions[0].measurements[kMetric];
  auto report = measured(90);
  report.phases[Phase::kWhole].samples[kSeries] = {90, 90, 110, 130, 130};
  report.metrics[kHostTime] = {120, true, "cuda/memory/long"};
  EXPECT_EQ(decided({report}).verdict, Verdict::kRegressed);
}

TEST_F(Interference, BelievesAChangeWhoseSamplesItDoesNotSee) {
  auto other = measured(110);
  other.phases[Phase::kWhole].samples["control_us"] = {90, 90, 110, 130, 130};
  EXPECT_EQ(decided({other}).verdict, Verdict::kRegressed);
}

// Its host's time over its control's is known to be 200 beside a control of 7 us.
class HostInterference : public Interference {
 protected:
  void SetUp() override {
    policy_.machine.clear();
    policy_.host = {0.1, 0.5, "a test"};
    CaseRecord& record = baseline_.cases[kKey];
    record.metrics[kRelativeHostTime] = judged_metric();
    record.metrics[kHostControl] = judged_metric();
    record.metrics[kHostControl].judged = false;
    for (const auto& [id, times] : record.revisions[0].measurements.at(kMetric)) {
      record.revisions[0].measurements[kRelativeHostTime][id] = {200};
      record.revisions[0].measurements[kHostControl][id] = {7};
    }
  }
  static WorkerReport host(double relative, double control_us, double net_time = 100) {
    WorkerReport out = measured(net_time);
    out.metrics[kRelativeHostTime] = {relative, true, judged_metric().variance_class};
    out.metrics[kHostControl] = {control_us, false, judged_metric().variance_class};
    return out;
  }
};

TEST_F(HostInterference, ExplainsAChangeOfAHostWhoseControlIsOff) {
  EXPECT_EQ(decided({host(240, 7)}).verdict, Verdict::kRegressed);
  EXPECT_EQ(decided({host(240, 9)}).verdict, Verdict::kRegressed)
      << "off by 29 %, the change is 20";
  const auto outcome = decided({host(240, 7), host(240, 11), host(240, 11)});
  EXPECT_EQ(outcome.verdict, Verdict::kMachineInvalid);
  EXPECT_EQ(outcome.message,
            "it looks changed, but the host's control takes 11 us, +57 % from the 7 us of its "
            "baseline");
  EXPECT_EQ(decided({host(190, 5)}).verdict, Verdict::kMachineInvalid) << "faster, on a quiet host";
  EXPECT_EQ(decided({host(200, 11)}).verdict, Verdict::kPass);
}

TEST_F(HostInterference, ExplainsNoChangeOfTheDevice) {
  EXPECT_EQ(decided({host(240, 11, 110)}).verdict, Verdict::kRegressed);
}

TEST_F(HostInterference, LeavesProcessesOutWhoseControlIsOffBeforeItCallsTheHostUnsteady) {
  const auto quiet = host(200, 7);
  EXPECT_EQ(decided({quiet, host(300, 21), quiet, host(300, 21), quiet}).verdict,
            Verdict::kMachineInvalid);
  EXPECT_EQ(decided({quiet, host(300, 7), quiet, host(300, 7), quiet}).verdict, Verdict::kUnsteady);
}

TEST_F(HostInterference, ExplainsNothingByAControlThatWasNotRecorded) {
  baseline_.cases[kKey].revisions[0].measurements.erase(kHostControl);
  EXPECT_EQ(decided({host(240, 11)}).verdict, Verdict::kRegressed);
}

TEST_F(Interference, ExplainsNothingOnAKindOfDeviceThatNobodyShares) {
  policy_.machine.clear();
  record_ceiling({"triad", Unit::kGbPerS}, 10);
  auto report = measured(110);
  report.phases[Phase::kWhole].ceilings[{"triad", Unit::kGbPerS}] = 5;
  report.phases[Phase::kWhole].samples[kSeries] = {90, 90, 110, 130, 130};
  EXPECT_EQ(decided({report}).verdict, Verdict::kRegressed);
}

TEST_F(Interference, ObjectsOnlyToCeilingsThatTheBaselineKnows) {
  EXPECT_EQ(why_unlike_recorded(baseline_, 0.3, {{{"fma", Unit::kGflopPerS}, 1}}), std::nullopt);
}

}  // namespace
}  // namespace perfgate
