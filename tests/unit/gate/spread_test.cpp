// The limits of what processes of one session may differ by, against hand-computed answers.

#include "perfgate/gate/spread.h"
#include "perfgate/baseline/session_value.h"

#include <gtest/gtest.h>

#include "fixtures/history_fixture.h"

namespace perfgate {
namespace {

using testing_support::baseline_of;
using testing_support::kKey;
using testing_support::kMetric;
using testing_support::SessionSpec;

constexpr double kE = 2.718281828459045;

TEST(ProcessSpread, IsHowFarTheSlowestProcessIsFromTheMedian) {
  const auto spread = process_spread({1, 1, kE * kE, 1, 0.1}, Better::kLower, Statistic::kMedian);
  EXPECT_NEAR(spread.slowest, 2, 1e-12);
  EXPECT_EQ(spread.typical, 0);
  EXPECT_NEAR(process_spread({1, 1, 1 / kE}, Better::kHigher, Statistic::kMedian).slowest, 1,
              1e-12);
}

TEST(ProcessSpread, IsAlsoThatOfTheMedianFromTheBestWhereTheBestIsJudged) {
  const auto spread = process_spread({1, kE, kE, kE, kE}, Better::kLower, Statistic::kBest);
  EXPECT_NEAR(spread.slowest, 0, 1e-12);
  EXPECT_NEAR(spread.typical, 1, 1e-12);
}

class Limits : public testing::Test {
 protected:
  Limits() { policy_.spread["cuda"] = {3, 0.05, 0.5, 4, "a test"}; }
  // Sessions whose slowest process is so much slower than the others, in logs.
  [[nodiscard]] double limit_of(const std::vector<double>& slowest) const {
    std::vector<SessionSpec> sessions;
    for (const double by : slowest) {
      sessions.push_back({"A", {100, 100, 100, 100, 100 * std::exp(by)}});
    }
    const auto baseline = baseline_of(sessions);
    return SpreadLimits(baseline, policy_).of(kKey, kMetric).slowest;
  }
  Policy policy_ = testing_support::policy_with({1e-6, 100}, {1e-6, 100});
};

TEST_F(Limits, AreAMultipleOfTheLargestThatAnySessionOfTheGroupHad) {
  EXPECT_NEAR(limit_of({0.01, 0.04, 0.02, 0.03}), 3 * 0.04, 1e-9);
}

TEST_F(Limits, AreNeverLessThanThePolicysLeast) {
  EXPECT_NEAR(limit_of({0, 0, 0, 0.001}), std::log(1.05), 1e-9);
}

TEST_F(Limits, AreThePolicysWordWhereFewSessionsAreRecorded) {
  EXPECT_NEAR(limit_of({0.01, 0.04, 0.02}), std::log(1.5), 1e-9);
}

TEST_F(Limits, LearnFromTheCasesOfTheSameFamilyAlone) {
  auto baseline = baseline_of(std::vector<SessionSpec>(4, {"A", {100, 100, 103}}));
  auto loud = baseline_of(std::vector<SessionSpec>(4, {"A", {100, 100, 150}}));
  baseline.cases["demo/other/eager"] = loud.cases[kKey];
  baseline.cases["elsewhere/case/eager"] = loud.cases[kKey];
  const auto of_family = SpreadLimits(baseline, policy_).of(kKey, kMetric).slowest;
  EXPECT_NEAR(of_family, 3 * std::log(1.5), 1e-9);
  baseline.cases.erase("demo/other/eager");
  const auto without = SpreadLimits(baseline, policy_).of(kKey, kMetric).slowest;
  EXPECT_NEAR(without, 3 * std::log(1.03), 1e-9);
}

}  // namespace
}  // namespace perfgate
