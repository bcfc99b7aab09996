// The judge on a device that the baseline does not know, against hand-computed answers. A prior
// with 1e9 degrees of freedom makes a variance exactly known and Student's t the normal.

#include <gtest/gtest.h>

#include <cmath>

#include "fixtures/history_fixture.h"
#include "perfgate/gate/judgement.h"

namespace perfgate {
namespace {

using testing_support::baseline_of;
using testing_support::judged_metric;
using testing_support::kKey;
using testing_support::kMetric;

constexpr double kCertain = 1e9;

Policy policy_with(double session_cv, double device_cv) {
  return testing_support::policy_with({session_cv * session_cv, kCertain},
                                      {device_cv * device_cv, kCertain});
}

Policy policy_of_dram(double slope_sd) {
  Policy out = policy_with(1e-6, 0.01);
  out.classes.at(judged_metric().variance_class).dram = {{1e-6, kCertain}, slope_sd};
  return out;
}

Judgement judged(const Baseline& baseline, const Policy& policy, double measured,
                 const CeilingRates& tonight = {}) {
  const Judge judge(baseline, policy);
  return judgement_of(judge.of_device(tonight), kKey, kMetric, {{kMetric, {measured}}}, "Z");
}

// Sessions of A read DRAM at 4500 GB/s, those of B at 4600.
Baseline of_two_kinds_of_memory(double on_a, double on_b) {
  Baseline out = baseline_of({{"A", {on_a}}, {"B", {on_b}}});
  for (auto& [id, session] : out.sessions) {
    session.ceilings[kDramRead] = session.device_id == "A" ? 4500 : 4600;
  }
  return out;
}

TEST(UnknownDevice, IsComparedWithTheMeanOverDevicesAndTheirSpreadIsAdded) {
  const auto baseline =
      baseline_of({{"A", {100}}, {"A", {100}}, {"B", {100}}, {"B", {100}}, {"B", {100}}});
  const auto judgement = judged(baseline, policy_with(0.01, 0.02), 100);
  EXPECT_FALSE(judgement.known_device);
  EXPECT_EQ(judgement.devices, 2);
  // Sessions: 1e-4 (1 + (1/2 + 1/3) / 4) = 1.208333e-4; devices: 4e-4 (1 + 1/2) = 6e-4.
  // SE = sqrt(7.208333e-4) = 0.0268483; q SE = 0.0624586
  EXPECT_NEAR(judgement.threshold, std::expm1(0.0624586), 1e-6);
}

TEST(UnknownDevice, IsSuspectedOfWhatIsTooUnlikelyToBeNoiseAndTooLittleToFail) {
  // SE = 0.01 sqrt(1 + 1/2) = 0.0122474 but for sessions. z(1e-3) = 3.090232: p < 1e-3 from 3.858 %
  // on. z(1e-5) = 4.264891: REGRESSED from 5.362 % on.
  auto policy = policy_with(1e-6, 0.01);
  policy.false_alarms_a_night = 1e-5;
  const auto baseline = baseline_of({{"A", {100}}, {"B", {100}}});
  EXPECT_EQ(judged(baseline, policy, 103.84).verdict, Verdict::kPass);
  EXPECT_EQ(judged(baseline, policy, 103.88).verdict, Verdict::kSuspect);
  EXPECT_EQ(judged(baseline, policy, 105.34).verdict, Verdict::kSuspect);
  EXPECT_EQ(judged(baseline, policy, 105.38).verdict, Verdict::kRegressed);
  EXPECT_EQ(judged(baseline, policy, 100 / 1.0388).verdict, Verdict::kPass) << "it is faster";
}

TEST(UnknownDevice, IsNotSuspectedOfWhatTheToleranceAllows) {
  auto policy = policy_with(1e-6, 1e-4);
  policy.false_alarms_a_night = 1e-5;
  const auto baseline = baseline_of({{"A", {100}}, {"B", {100}}});
  EXPECT_EQ(judged(baseline, policy, 101.9).verdict, Verdict::kPass);
}

TEST(UnknownDevice, IsHeldToWhatItsDramLetsExpect) {
  const auto baseline = of_two_kinds_of_memory(100, 98);
  const auto policy = policy_of_dram(1);
  EXPECT_NEAR(judged(baseline, policy, 100, {{kDramRead, 4500}}).before, 100, 0.03);
  EXPECT_NEAR(judged(baseline, policy, 98, {{kDramRead, 4600}}).before, 98, 0.03);
  EXPECT_LT(judged(baseline, policy, 98, {{kDramRead, 4600}}).mde,
            judged(baseline, policy, 98).mde);
}

// DRAM that got slower would excuse what it slows.
TEST(UnknownDevice, ThatReadsDramAsNoRecordedOneDoesIsComparedWithTheirMean) {
  const auto baseline = of_two_kinds_of_memory(100, 98);
  const auto policy = policy_of_dram(1);
  for (const double rate : {4400.0, 4700.0}) {
    const auto judgement = judged(baseline, policy, 99, {{kDramRead, rate}});
    EXPECT_NEAR(judgement.before, std::sqrt(100.0 * 98), 1e-9) << rate;
    // SE = 0.01 sqrt(1 + 1/2) = 0.0122474, but for sessions.
    EXPECT_NEAR(judgement.threshold, std::expm1(2.326348 * 0.0122474), 1e-5);
  }
  EXPECT_NEAR(judged(baseline, policy, 98, {{kDramRead, 4610}}).before, 97.8, 0.05);
}

TEST(UnknownDevice, IsNotExcusedByWhatMeasuresIt) {
  Baseline baseline = of_two_kinds_of_memory(100, 98);
  const std::string ceiling = "ceilings/dram_read/1GiB";
  baseline.cases[ceiling] = baseline.cases.at(kKey);
  const Policy policy = policy_of_dram(1);
  const Judge judge(baseline, policy);
  const auto judgement =
      judgement_of(judge.of_device({{kDramRead, 4600}}), ceiling, kMetric, {{kMetric, {98}}}, "Z");
  EXPECT_NEAR(judgement.before, std::sqrt(100.0 * 98), 1e-9);
}

TEST(UnknownDevice, IsComparedWithAllWhereOneMemoryIsNotKnown) {
  Baseline baseline = of_two_kinds_of_memory(100, 98);
  baseline.sessions.begin()->second.ceilings.clear();
  const auto judgement = judged(baseline, policy_of_dram(1), 99, {{kDramRead, 4600}});
  EXPECT_NEAR(judgement.before, std::sqrt(100.0 * 98), 1e-9);
}

}  // namespace
}  // namespace perfgate
