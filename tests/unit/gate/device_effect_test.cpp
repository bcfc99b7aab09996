// What a device does to all cases of a kind, against hand-computed answers.

#include "perfgate/gate/device_effect.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "fixtures/device_effect_fixture.h"

namespace perfgate {
namespace {

using testing_support::effects_policy;
using testing_support::kEffects;
using testing_support::kMetric;
using testing_support::many_cases;
using testing_support::sibling_key;

constexpr int kCases = 8;

CaseGroup group_of(const Baseline& baseline, const std::string& key) {
  return sibling_group(key, baseline.cases.at(key), kMetric);
}

DeviceEffects effects_of(const Baseline& baseline, const Policy& policy) {
  return {baseline, histories_of(baseline, policy.clock), policy};
}

const RecordedEffects* effects_in(const DeviceEffects& effects, const Baseline& baseline) {
  return effects.of(group_of(baseline, baseline.cases.begin()->first));
}

TEST(DeviceEffects, AreWhatTheCasesOfADeviceHaveInCommon) {
  const Baseline baseline = many_cases(kCases, kEffects);
  const DeviceEffects effects = effects_of(baseline, effects_policy());
  const auto* found = effects_in(effects, baseline);
  ASSERT_NE(found, nullptr);
  EXPECT_NEAR(found->by_device.at("A"), -0.01, 1e-6);
  EXPECT_NEAR(found->by_device.at("B"), 0, 1e-6);
  EXPECT_NEAR(found->by_device.at("C"), 0.01, 1e-6);
  // Eight cases on three devices have 16 degrees of freedom; three effects around 0 cost two.
  EXPECT_NEAR(found->share, 14.0 / 16, 1e-12);
  // Nothing is left of the devices: (0 + 4 0.01^2) / (14 + 4).
  EXPECT_NEAR(found->remaining.variance, 4e-4 / 18, 1e-9);
  EXPECT_EQ(found->remaining.degrees, 12);
}

TEST(DeviceEffects, AreFoundWhereCasesAreNotOnAllDevices) {
  Baseline baseline = many_cases(2 * kCases, kEffects);
  for (int i = 0; i < kCases; ++i) {  // every other case was not recorded on A
    auto& revision = baseline.cases.at(sibling_key(2 * i)).revisions.back();
    std::erase(revision.reference, "A");
    revision.measurements.at(kMetric).erase("A");
  }
  const DeviceEffects effects = effects_of(baseline, effects_policy());
  const auto* found = effects_in(effects, baseline);
  ASSERT_NE(found, nullptr);
  EXPECT_NEAR(found->by_device.at("C") - found->by_device.at("A"), 0.02, 1e-6);
  // So what a case without A is, is known as well as that of one with it.
  for (const int i : {0, 1}) {
    const auto& record = baseline.cases.at(sibling_key(i));
    const auto history = history_of(baseline, record, kMetric, testing_support::kClock);
    EXPECT_NEAR(less_effects(history, *found)->value, std::log(100 + i), 1e-6) << i;
  }
}

TEST(DeviceEffects, LeaveACaseItsOwnDifferences) {
  Baseline baseline = many_cases(kCases, kEffects);
  const auto key = sibling_key(3);
  baseline.cases.at(key).revisions.back().measurements.at(kMetric).at("B") = {103 * 1.03};
  const DeviceEffects effects = effects_of(baseline, effects_policy());
  const auto* found = effects_in(effects, baseline);
  ASSERT_NE(found, nullptr);
  const double off = std::log(1.03);  // an eighth of which goes to B's effect
  EXPECT_NEAR(found->by_device.at("B"), off / 8 * 2 / 3, 1e-6);
  const auto history =
      history_of(baseline, baseline.cases.at(key), kMetric, testing_support::kClock);
  const auto reference = less_effects(history, *found).value();
  const double left = off * 7 / 8;  // 0, left, 0: sum of squares left^2 (1 - 1/3)
  EXPECT_NEAR(reference.remaining.sum, left * left * 2 / 3, 1e-8);
  EXPECT_NEAR(reference.remaining.degrees, 2 * 14.0 / 16, 1e-12);
}

// D to F were recorded with cases that A to C do not have: nothing tells how much slower they are.
TEST(DeviceEffects, AreOfDevicesThatCasesLink) {
  Baseline baseline = many_cases(kCases, kEffects);
  const auto apart = many_cases(kCases, {{"D", 0.5}, {"E", 0.51}}, "demo/apart");
  baseline.cases.insert(apart.cases.begin(), apart.cases.end());
  baseline.sessions.insert(apart.sessions.begin(), apart.sessions.end());
  const DeviceEffects effects = effects_of(baseline, effects_policy());
  const auto* found = effects_in(effects, baseline);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->by_device.size(), 3U);
  EXPECT_NEAR(found->by_device.at("C"), 0.01, 1e-6);
  // And so of a case that was recorded on D and E alone nothing is expected.
  const auto& record = baseline.cases.at(sibling_key(0, "demo/apart"));
  const auto history = history_of(baseline, record, kMetric, testing_support::kClock);
  EXPECT_FALSE(less_effects(history, *found).has_value());
}

TEST(DeviceEffects, AreNoneOfADeviceThatFewCasesCompare) {
  Baseline baseline = many_cases(kCases, kEffects);
  const Baseline with_d = many_cases(2, {{"A", -0.01}, {"B", 0}, {"C", 0.01}, {"D", 0.05}});
  for (const auto& [key, record] : with_d.cases) {
    baseline.cases[key] = record;
  }
  baseline.sessions.insert(with_d.sessions.begin(), with_d.sessions.end());
  const DeviceEffects effects = effects_of(baseline, effects_policy());
  const auto* found = effects_in(effects, baseline);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->by_device.count("D"), 0U);
  const auto& record = baseline.cases.at(sibling_key(0));
  const auto history = history_of(baseline, record, kMetric, testing_support::kClock);
  const auto reference = less_effects(history, *found).value();
  EXPECT_EQ(reference.history.devices.size(), 3U);
  EXPECT_NEAR(reference.value, std::log(100), 1e-6);
}

// Cases that differ by themselves, and two sets of devices that share three of them: the effects
// are those of least squares, which medians in turn would not settle on.
TEST(DeviceEffects, SettleWhereFewCasesLinkTwoSets) {
  Baseline baseline;
  const std::vector<std::map<std::string, double>> kinds = {{{"A", 0}, {"B", 0.01}, {"C", -0.01}},
                                                            {{"D", 0.02}, {"E", 0.03}},
                                                            {{"C", -0.01}, {"D", 0.02}}};
  for (int kind = 0; kind < 3; ++kind) {
    const auto part =
        many_cases(kind == 2 ? 3 : kCases, kinds[kind], "demo/" + std::to_string(kind));
    baseline.device = part.device;
    baseline.cases.insert(part.cases.begin(), part.cases.end());
    baseline.sessions.insert(part.sessions.begin(), part.sessions.end());
  }
  int i = 0;
  for (auto& [key, record] : baseline.cases) {  // one device of each is off, mostly up
    auto& measurements = record.revisions.back().measurements.at(kMetric);
    measurements.begin()->second.front() *= std::exp(++i % 3 == 0 ? -0.002 : 0.004);
  }
  const DeviceEffects effects = effects_of(baseline, effects_policy());
  const auto* found = effects_in(effects, baseline);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->by_device.size(), 5U);
  EXPECT_NEAR(found->by_device.at("E") - found->by_device.at("A"), 0.03, 0.008);
  EXPECT_NEAR(found->by_device.at("D") - found->by_device.at("C"), 0.03, 0.005);
}

TEST(DeviceEffects, KnowHowMuchSlowerOneProcessIsThanTheBestOfSeveral) {
  Baseline baseline = many_cases(kCases, kEffects);
  for (auto& [key, record] : baseline.cases) {
    record.metrics.at(kMetric).statistic = Statistic::kBest;
    for (auto& [session, measurements] : record.revisions.back().measurements.at(kMetric)) {
      measurements.insert(measurements.begin(), measurements.front() * std::exp(0.003));
    }
  }
  const DeviceEffects effects = effects_of(baseline, effects_policy());
  ASSERT_NE(effects_in(effects, baseline), nullptr);
  EXPECT_NEAR(effects_in(effects, baseline)->alone, 0.003, 1e-6);
}

TEST(DeviceEffects, SayHowFarOutAnotherDeviceMayBe) {
  const Baseline baseline = many_cases(kCases, kEffects);
  const DeviceEffects effects = effects_of(baseline, effects_policy());
  ASSERT_NE(effects_in(effects, baseline), nullptr);
  // (2 1e-4 + 4 1e-4) / (2 + 4) = 1e-4, of 6 degrees: t(0.975) = 2.446912; sqrt(1 + 1/3).
  EXPECT_NEAR(effects_in(effects, baseline)->limit, 2.446912 * 0.01 * std::sqrt(4.0 / 3), 1e-6);
}

TEST(DeviceEffects, AreNoneOfAClassWhosePolicyHasNone) {
  const Baseline baseline = many_cases(kCases, kEffects);
  const auto policy = testing_support::policy_with({1e-6, 4}, {1e-4, 4});
  EXPECT_EQ(effects_in(effects_of(baseline, policy), baseline), nullptr);
}

TEST(DeviceEffects, AreNoneOfFewCasesOrFewDevices) {
  const Baseline few_cases = many_cases(kCases - 1, kEffects);
  EXPECT_EQ(effects_in(effects_of(few_cases, effects_policy()), few_cases), nullptr);
  const Baseline few_devices = many_cases(kCases, {{"A", -0.01}, {"B", 0.01}});
  EXPECT_EQ(effects_in(effects_of(few_devices, effects_policy()), few_devices), nullptr);
}

TEST(DeviceEffects, AreNoneWhereEachCaseDiffersByItself) {
  // Each case is slower on another device.
  Baseline baseline = many_cases(9, {{"A", 0}, {"B", 0}, {"C", 0}});
  for (int i = 0; i < 9; ++i) {
    const std::string device(1, static_cast<char>('A' + i % 3));
    auto& measurements = baseline.cases.at(sibling_key(i)).revisions.back().measurements;
    measurements.at(kMetric).at(device) = {(100 + i) * 1.02};
  }
  EXPECT_EQ(effects_in(effects_of(baseline, effects_policy()), baseline), nullptr);
}

TEST(DeviceEffects, AreNoneOfWhatMeasuresTheDevice) {
  const Baseline baseline = many_cases(kCases, kEffects, "ceilings");
  EXPECT_EQ(effects_in(effects_of(baseline, effects_policy()), baseline), nullptr);
}

}  // namespace
}  // namespace perfgate
