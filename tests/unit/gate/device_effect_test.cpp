// What a device does to all cases of a kind, against hand-computed answers.

#include "perfgate/gate/device_effect.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fixtures/device_effect_fixture.h"

namespace perfgate {
namespace {

using testing_support::effects_policy;
using testing_support::kEffects;
using testing_support::kMetric;
using testing_support::many_cases;
using testing_support::sibling_key;

constexpr int kCases = 8;

SiblingGroup group_of(const Baseline& baseline, const std::string& key) {
  return sibling_group(key, baseline.cases.at(key), kMetric);
}

const RecordedEffects* effects_in(const DeviceEffects& effects, const Baseline& baseline) {
  return effects.of(group_of(baseline, baseline.cases.begin()->first));
}

TEST(DeviceEffects, AreWhatTheCasesOfADeviceHaveInCommon) {
  const Baseline baseline = many_cases(kCases, kEffects);
  const DeviceEffects effects(baseline, effects_policy());
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
  const DeviceEffects effects(baseline, effects_policy());
  const auto* found = effects_in(effects, baseline);
  ASSERT_NE(found, nullptr);
  EXPECT_NEAR(found->by_device.at("C") - found->by_device.at("A"), 0.02, 1e-6);
  // So what a case without A is, is known as well as that of one with it.
  for (const int i : {0, 1}) {
    const auto& record = baseline.cases.at(sibling_key(i));
    const auto history = history_of(baseline, record, kMetric, testing_support::kClock);
    EXPECT_NEAR(less_effects(history, *found).value, std::log(100 + i), 1e-6) << i;
  }
}

TEST(DeviceEffects, LeaveACaseItsOwnDifferences) {
  Baseline baseline = many_cases(kCases, kEffects);
  const auto key = sibling_key(3);
  baseline.cases.at(key).revisions.back().measurements.at(kMetric).at("B") = {103 * 1.03};
  const DeviceEffects effects(baseline, effects_policy());
  const auto* found = effects_in(effects, baseline);
  ASSERT_NE(found, nullptr);
  EXPECT_NEAR(found->by_device.at("B"), 0, 1e-6) << "one case of eight moves no median";
  const auto history =
      history_of(baseline, baseline.cases.at(key), kMetric, testing_support::kClock);
  const auto reference = less_effects(history, *found);
  const double off = std::log(1.03);  // 0, off, 0: sum of squares off^2 (1 - 1/3)
  EXPECT_NEAR(reference.remaining.sum, off * off * 2 / 3, 1e-8);
  EXPECT_NEAR(reference.remaining.degrees, 2 * 14.0 / 16, 1e-12);
}

TEST(DeviceEffects, AreNoneOfAClassWhosePolicyHasNone) {
  const Baseline baseline = many_cases(kCases, kEffects);
  const auto policy = testing_support::policy_with({1e-6, 4}, {1e-4, 4});
  EXPECT_EQ(effects_in(DeviceEffects(baseline, policy), baseline), nullptr);
}

TEST(DeviceEffects, AreNoneOfFewCasesOrFewDevices) {
  const Baseline few_cases = many_cases(kCases - 1, kEffects);
  EXPECT_EQ(effects_in(DeviceEffects(few_cases, effects_policy()), few_cases), nullptr);
  const Baseline few_devices = many_cases(kCases, {{"A", -0.01}, {"B", 0.01}});
  EXPECT_EQ(effects_in(DeviceEffects(few_devices, effects_policy()), few_devices), nullptr);
}

TEST(DeviceEffects, AreNoneWhereEachCaseDiffersByItself) {
  // Each case is slower on another device.
  Baseline baseline = many_cases(9, {{"A", 0}, {"B", 0}, {"C", 0}});
  for (int i = 0; i < 9; ++i) {
    const std::string device(1, static_cast<char>('A' + i % 3));
    auto& measurements = baseline.cases.at(sibling_key(i)).revisions.back().measurements;
    measurements.at(kMetric).at(device) = {(100 + i) * 1.02};
  }
  EXPECT_EQ(effects_in(DeviceEffects(baseline, effects_policy()), baseline), nullptr);
}

TEST(DeviceEffects, AreNoneOfWhatMeasuresTheDevice) {
  const Baseline baseline = many_cases(kCases, kEffects, "ceilings");
  EXPECT_EQ(effects_in(DeviceEffects(baseline, effects_policy()), baseline), nullptr);
}

TEST(SiblingChanges, OfACaseAreThoseOfTheOthers) {
  const Baseline baseline = many_cases(kCases, kEffects);
  const auto group = group_of(baseline, sibling_key(0));
  SiblingChanges changes;
  for (const auto& [i, change] :
       std::map<int, double>{{0, 0.5}, {1, 0.01}, {2, 0.02}, {3, 0.03}, {4, 0.04}, {5, 0.05}}) {
    changes.add(group, sibling_key(i), change);
  }
  const auto found = changes.beside(group, sibling_key(0), 5);
  ASSERT_TRUE(found.has_value());
  EXPECT_NEAR(found->value, 0.03, 1e-12);
  EXPECT_EQ(found->siblings, 5);
  // The median distance is 0.01; the median of five normal values has 0.2868 of their variance.
  EXPECT_NEAR(found->variance, 0.014826 * 0.014826 * 0.2868, 1e-7);
  EXPECT_FALSE(changes.beside(group, sibling_key(0), 6).has_value());
  EXPECT_TRUE(changes.beside(group, sibling_key(7), 6).has_value()) << "it is none of the six";
}

}  // namespace
}  // namespace perfgate
