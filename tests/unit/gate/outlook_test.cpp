#include "perfgate/gate/outlook.h"

#include <gtest/gtest.h>

#include "fixtures/history_fixture.h"
#include "perfgate/gate/judgement.h"

namespace perfgate {
namespace {

using testing_support::baseline_of;
using testing_support::kKey;
using testing_support::kMetric;

constexpr double kCertain = 1e9;

// Sessions of A alone, by a policy that says 1 % of sessions and 4 % of devices.
NightOutlook outlook_on(const std::string& device_id, const std::set<std::string>& night) {
  const auto policy =
      testing_support::policy_with({0.01 * 0.01, kCertain}, {0.04 * 0.04, kCertain});
  const Judge judge(baseline_of({{"A", {100}}, {"A", {100}}}), policy);
  return outlook(judge, night, device_id);
}

TEST(Outlook, CountsWhatThisDeviceHasSessionsOfAndWhatOnlyOthersHave) {
  const auto own = outlook_on("A", {kKey, "demo/new"});
  EXPECT_EQ(own.own.cases, 1);
  EXPECT_EQ(own.others.cases, 0);
  EXPECT_FALSE(own.others.mde);
  EXPECT_EQ(own.unrecorded, 1);

  const auto others = outlook_on("B", {kKey});
  EXPECT_EQ(others.own.cases, 0);
  EXPECT_EQ(others.others.cases, 1);
  EXPECT_EQ(others.unrecorded, 0);
}

TEST(Outlook, ExpectsTheMdeThatTheNightWillHave) {
  const auto policy =
      testing_support::policy_with({0.01 * 0.01, kCertain}, {0.04 * 0.04, kCertain});
  const Judge judge(baseline_of({{"A", {100}}, {"A", {100}}}), policy);
  for (const std::string device : {"A", "B"}) {
    const auto expected = outlook(judge, {kKey}, device);
    const auto night = judgement_of(judge, kKey, kMetric, {{kMetric, {107}}}, device);
    EXPECT_DOUBLE_EQ((device == "A" ? expected.own : expected.others).mde.value(), night.mde);
  }
  EXPECT_GT(outlook(judge, {kKey}, "B").others.mde.value(),
            2 * outlook(judge, {kKey}, "A").own.mde.value());
}

}  // namespace
}  // namespace perfgate
