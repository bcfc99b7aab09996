// The judge of cycles, which are compared at one clock. Noise between sessions and devices is
// exactly known, 0.1 and 1 %, so that what the clock adds to it is pencil and paper: z(0.01)
// = 2.326348.

#include <gtest/gtest.h>

#include <cmath>

#include "fixtures/history_fixture.h"
#include "perfgate/gate/judgement.h"

namespace perfgate {
namespace {

using testing_support::baseline_of;
using testing_support::judged_metric;
using testing_support::kKey;
using testing_support::measurements_at;
using testing_support::SessionSpec;

constexpr double kZ99 = 2.326348;

Judgement judged(Metric metric, const SessionMeasurements& tonight, const Baseline& baseline,
                 const std::string& device_id) {
  constexpr double kCertain = 1e9;
  const auto policy = testing_support::policy_with({1e-6, kCertain}, {1e-4, kCertain});
  const Judge judge(baseline, policy);
  return judgement_of(judge, kKey, metric, tonight, device_id);
}

// Three sessions on a device, or on each of several, of a body that waits for memory, at two
// clocks.
Baseline clocked(const std::vector<std::string>& devices = {"A"}) {
  std::vector<SessionSpec> sessions;
  for (const auto& device : devices) {
    sessions.insert(sessions.end(), 3, {device, {}});
  }
  auto out = baseline_of(sessions);
  auto& record = out.cases[kKey];
  record.metrics = {{kCycles, judged_metric()}, {kNetTime, judged_metric()}};
  for (const auto& [id, session] : out.sessions) {
    for (const auto& [metric, measurements] : measurements_at({1590, 1515, 1590, 1515, 1590}, 1)) {
      record.revisions[0].measurements[metric][id] = measurements;
    }
  }
  return out;
}

Judgement judged_cycles(const SessionMeasurements& tonight, const Baseline& baseline = clocked(),
                        const std::string& device_id = "A") {
  return judged(kCycles, tonight, baseline, device_id);
}

TEST(JudgeOfCycles, ComparesCyclesAtOneClock) {
  const auto lower = judged_cycles(measurements_at({1515, 1515, 1515, 1515, 1515}, 1));
  EXPECT_NEAR(lower.change, 0, 1e-4);  // 2.9 % fewer, and as long
  EXPECT_NEAR(lower.now, lower.before, 100);
  ASSERT_TRUE(lower.clock_mhz);
  EXPECT_NEAR(lower.clock_mhz->now, 1515, 1e-9);
  EXPECT_NEAR(lower.clock_mhz->before, 1559.6, 0.1);
  // The reference is what was measured, at the clock that it was measured at. The median is that of
  // a process at 1590 MHz, and the response to the clock is all but known.
  EXPECT_NEAR(lower.before, 1e6 * lower.clock_mhz->before / 1500, 100);
  EXPECT_EQ(lower.verdict, Verdict::kPass);
  const auto more = judged_cycles(measurements_at({1515}, 1, 1.03));
  EXPECT_EQ(more.verdict, Verdict::kRegressed);
  EXPECT_NEAR(more.change, 0.03, 1e-4);
  EXPECT_FALSE(judged(kNetTime, measurements_at({1515}, 1), clocked(), "A").clock_mhz);
}

TEST(JudgeOfCycles, ComparesCyclesOfAnUnknownDeviceWithTheMeanOfTheOthers) {
  const auto far = judged_cycles(measurements_at({1515}, 1), clocked({"A", "B"}), "C");
  EXPECT_EQ(far.devices, 2);
  ASSERT_TRUE(far.clock_mhz);
  EXPECT_NEAR(far.clock_mhz->before, 1559.6, 0.1);
  EXPECT_NEAR(far.before, 1e6 * far.clock_mhz->before / 1500, 100);
  EXPECT_NEAR(far.change, 0, 1e-4);
}

// Recorded on device A before there were cycles.
TEST(JudgeOfCycles, LearnsFromTheSessionsThatHaveThem) {
  auto baseline = clocked({"A", "B"});
  auto& cycles = baseline.cases[kKey].revisions[0].measurements[kCycles];
  std::erase_if(cycles, [&](const auto& session) {
    return baseline.sessions.at(session.first).device_id == "A";
  });
  const auto tonight = measurements_at({1515}, 1, 1.03);
  const auto known = judged_cycles(tonight, baseline, "B");
  EXPECT_TRUE(known.known_device);
  EXPECT_EQ(known.sessions, 3);
  EXPECT_NEAR(known.change, 0.03, 1e-4);
  EXPECT_EQ(known.verdict, Verdict::kRegressed);
  const auto unknown = judged_cycles(tonight, baseline, "A");
  EXPECT_FALSE(unknown.known_device);
  EXPECT_EQ(unknown.devices, 1);
  EXPECT_NEAR(unknown.change, 0.03, 1e-4);
  EXPECT_EQ(unknown.verdict, Verdict::kPass) << "B may differ from A by as much";
  EXPECT_TRUE(judged(kNetTime, tonight, baseline, "A").known_device);
}

TEST(JudgeOfCycles, LearnsNothingFromAnOlderRevisionWhoseReferencesHaveNone) {
  auto baseline = clocked();
  auto& record = baseline.cases[kKey];
  Revision older = record.revisions[0];
  older.measurements[kCycles] = {{"s12", older.measurements[kCycles].at("s12")}};
  std::erase(older.reference, "s12");
  const auto alone = judged_cycles(measurements_at({1515}, 1), baseline);
  record.revisions.insert(record.revisions.begin(), older);
  EXPECT_DOUBLE_EQ(judged_cycles(measurements_at({1515}, 1), baseline).mde, alone.mde);
}

TEST(JudgeOfCycles, KnowsTheClockOfTheRevisionInForce) {
  auto baseline = clocked();
  auto& record = baseline.cases[kKey];
  record.revisions.insert(record.revisions.begin(), record.revisions[0]);
  for (const auto& [id, session] : baseline.sessions) {  // before, it only computed
    for (const auto& [metric, measurements] : measurements_at({1590, 1515, 1590, 1515, 1590}, 0)) {
      record.revisions[0].measurements[metric][id] = measurements;
    }
  }
  EXPECT_NEAR(judged_cycles(measurements_at({1515}, 1), baseline).change, 0, 1e-4);
}

TEST(JudgeOfCycles, SeesLessOfCyclesAtAClockThatIsFarFromTheBaselines) {
  // Within sessions log clocks deviate by 0.0084 (sum of squares), less 12 x 0.002^2 for jitter;
  // nothing scatters, so the noise is 0.002 sqrt(4 / 15), and the slope's variance
  // 1 / (0.00836 / 1.067e-6 + 1 / 0.4^2): SD 0.01129.
  // At 1200 MHz, 0.2621 below: SE^2 = 0.001^2 (1 + 1/3) + (0.01129 * 0.2621)^2, the second with 15
  // degrees of freedom, the sum with 19.92; t(19.92) at 1 % is 2.52890.
  EXPECT_NEAR(judged_cycles(measurements_at({1200, 1200}, 1)).mde,
              std::expm1(std::log(1.02) + 2.52890 * std::sqrt(1.3333e-6 + 8.756e-6)), 2e-5);
  EXPECT_NEAR(judged_cycles(measurements_at({1560, 1560}, 1)).mde,
              std::expm1(std::log(1.02) + kZ99 * std::sqrt(1.3333e-6)), 2e-5);
}

}  // namespace
}  // namespace perfgate
