// A case whose host decides is judged by what queueing it takes, beside its device's time, on
// devices of which that is known.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "fixtures/decide_fixture.h"
#include "perfgate/gate/comparable.h"

namespace perfgate {
namespace {

using testing_support::judged_metric;
using testing_support::kKey;
using testing_support::kMetric;

constexpr const char* kPass = "40 samples";
const std::string kHostClass = "cuda/relative_enqueue";

// Six controls of 7 us are known on the device A; B is known by its device's time alone.
class HostPassesInTheGate : public testing_support::DecideTest {
 protected:
  void SetUp() override {
    policy_.machine.clear();
    policy_.host = {0.1, 0.5, "a test"};
    policy_.classes[kHostClass] = {{1e-4, 20}, {1e-4, 20}, "a test"};
    CaseRecord& record = baseline_.cases[kKey];
    Revision& revision = record.revisions[0];
    for (const auto& id : revision.reference) {
      revision.measurements[kRelativeEnqueueTime][id] = {6};
      revision.measurements[kHostControl][id] = {7};
    }
    record.metrics[kRelativeEnqueueTime] = {true, 0.1, kHostClass};
    record.metrics[kHostControl] = {false, {}, kHostClass};
    record.phases[Phase::kWhole].protocol[kHostPass] = kPass;
    baseline_.sessions["of B"].device_id = "B";
    revision.reference.push_back("of B");
    revision.measurements[kMetric]["of B"] = {100};
    // Devices differ, hosts by half.
    baseline_.sessions["of C"].device_id = "C";
    revision.reference.push_back("of C");
    revision.measurements[kMetric]["of C"] = {100};
    revision.measurements[kRelativeEnqueueTime]["of C"] = {6};
    revision.measurements[kHostControl]["of C"] = {14};
  }
  static WorkerReport host(double relative, double control_us = 7, double net_time = 100) {
    WorkerReport out = measured(net_time);
    out.metrics[kRelativeEnqueueTime] = {relative, true, kHostClass};
    out.metrics[kHostControl] = {control_us, false, kHostClass};
    out.phases[Phase::kWhole].protocol[kHostPass] = kPass;
    return out;
  }
  [[nodiscard]] Outcome on(const std::string& device,
                           const std::vector<WorkerReport>& reports) const {
    const Judge judge(baseline_, policy_);
    return decide(judge, reports, device);
  }
};

TEST_F(HostPassesInTheGate, FindADispatchThatIsAFifthSlower) {
  const auto slower = decided({host(7.2)});
  EXPECT_EQ(slower.verdict, Verdict::kRegressed);
  ASSERT_NE(slower.deciding(), nullptr);
  EXPECT_EQ(slower.deciding()->metric, kRelativeEnqueueTime);
  EXPECT_TRUE(slower.not_judged.empty());
  EXPECT_EQ(decided({host(6.2)}).verdict, Verdict::kPass);
  EXPECT_EQ(decided({host(4.8)}).verdict, Verdict::kImproved);
}

TEST_F(HostPassesInTheGate, StandBehindTheDevicesTimeInACaseThatPasses) {
  const auto outcome = decided({host(6)});
  EXPECT_EQ(outcome.judgements.size(), 2U);
  EXPECT_EQ(outcome.deciding()->metric, kMetric);
}

TEST_F(HostPassesInTheGate, JudgeNothingOnADeviceOfWhichNoneIsRecorded) {
  for (const char* device : {"B", "unknown"}) {
    const auto outcome = on(device, {host(60)});
    EXPECT_EQ(outcome.verdict, Verdict::kPass) << device;
    EXPECT_EQ(outcome.judgements.size(), 1U);
    EXPECT_EQ(outcome.not_judged.at(kRelativeEnqueueTime),
              "no host pass is recorded of it on this device");
  }
  EXPECT_EQ(on("B", {host(6, 7, 110)}).verdict, Verdict::kRegressed) << "its device is";
}

TEST_F(HostPassesInTheGate, MayBeMissing) {
  const auto outcome = decided({measured(100), host(6), measured(100)});
  EXPECT_EQ(outcome.verdict, Verdict::kPass);
  EXPECT_EQ(outcome.not_judged.at(kRelativeEnqueueTime),
            "2 of 3 processes made no host pass: the host takes less than half of what the device "
            "does, or waits for it");
  EXPECT_EQ(decided({measured(110)}).verdict, Verdict::kRegressed);
}

TEST_F(HostPassesInTheGate, OfACaseThatWasRecordedWithoutOneSayThatItIsNotRecorded) {
  CaseRecord& record = baseline_.cases[kKey];
  for (const Metric metric : {kRelativeEnqueueTime, kHostControl}) {
    record.metrics.erase(metric);
    record.revisions[0].measurements.erase(metric);
  }
  record.phases[Phase::kWhole].protocol.erase(kHostPass);
  const auto outcome = decided({host(60)});
  EXPECT_EQ(outcome.verdict, Verdict::kPass) << outcome.message;
  EXPECT_EQ(outcome.not_judged.at(kRelativeEnqueueTime), "no host pass is recorded of it");
  auto device_decides = host(0.6);
  device_decides.metrics.at(kRelativeEnqueueTime).judged = false;
  EXPECT_TRUE(decided({device_decides}).not_judged.empty());
}

TEST_F(HostPassesInTheGate, OfAnotherProtocolAreNotCompared) {
  auto report = host(60);
  report.phases[Phase::kWhole].protocol[kHostPass] = "80 samples";
  const auto outcome = decided({report});
  EXPECT_EQ(outcome.verdict, Verdict::kPass);
  EXPECT_EQ(outcome.not_judged.at(kRelativeEnqueueTime),
            "its host pass was recorded otherwise (40 samples, now 80 samples)");
}

// The host of a device that is known may be noisier than is allowed to be unseen; its device is
// not.
TEST_F(HostPassesInTheGate, MakeNoCaseBlind) {
  policy_.classes[kHostClass] = {{0.3 * 0.3, 100}, {1e-4, 20}, "a test"};
  const auto outcome = decided({host(6)});
  ASSERT_NE(outcome.judgement_of(kRelativeEnqueueTime), nullptr);
  EXPECT_GT(outcome.judgement_of(kRelativeEnqueueTime)->mde, policy_.mde_limit_of("cuda").known);
  EXPECT_EQ(outcome.verdict, Verdict::kPass);
  EXPECT_LT(outcome.deciding()->mde, 0.1);
}

TEST_F(HostPassesInTheGate, HideNoBlindDevice) {
  policy_.classes[judged_metric().variance_class] = {{0.3 * 0.3, 100}, {1e-6, 100}, "a test"};
  EXPECT_EQ(decided({host(6)}).verdict, Verdict::kBlind);
}

// Of the device that is measured: C's host is another.
TEST_F(HostPassesInTheGate, AreNotJudgedWhereOthersExplainWhatTheyFind) {
  const auto outcome = decided({host(7.2, 12)});
  EXPECT_EQ(outcome.verdict, Verdict::kPass);
  EXPECT_EQ(outcome.judgement_of(kRelativeEnqueueTime), nullptr);
  EXPECT_EQ(outcome.not_judged.at(kRelativeEnqueueTime),
            "it looks changed, but the host's control takes 12 us, +71 % from the 7 us of its "
            "baseline");
  EXPECT_EQ(decided({host(7.2, 12, 110)}).verdict, Verdict::kRegressed) << "its device is slower";
  EXPECT_EQ(on("C", {host(7.2, 14)}).verdict, Verdict::kRegressed);
}

TEST_F(HostPassesInTheGate, AreNoReasonToCallACaseUnsteadyWhereOthersDisturbedSome) {
  const auto quiet = host(6);
  const auto disturbed = host(9, 21);
  const auto outcome = decided({quiet, disturbed, quiet, disturbed, quiet});
  EXPECT_EQ(outcome.verdict, Verdict::kPass);
  EXPECT_EQ(outcome.not_judged.count(kRelativeEnqueueTime), 1U);
  EXPECT_EQ(decided({quiet, host(9), quiet, host(9), quiet}).verdict, Verdict::kUnsteady);
}

TEST_F(HostPassesInTheGate, TakeTheirShareOfTheFalseAlarmBudgetWhereverTheyAreRecorded) {
  const double with = Judge(baseline_, policy_).alpha();
  baseline_.cases[kKey].metrics.erase(kRelativeEnqueueTime);
  EXPECT_DOUBLE_EQ(Judge(baseline_, policy_).alpha(), 2 * with);
}

TEST_F(HostPassesInTheGate, AreNoProtocolOfWhatIsMeasuredOfTheDevice) {
  const Protocol with = {{"samples", std::int64_t{30}}, {kHostPass, std::string(kPass)}};
  EXPECT_TRUE(is_same_protocol(with, testing_support::sample_protocol()));
  EXPECT_FALSE(is_same_protocol(with, {{"samples", std::int64_t{31}}}));
}

}  // namespace
}  // namespace perfgate
