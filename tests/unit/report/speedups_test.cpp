#include "perfgate/report/speedups.h"

#include <gmock/gmock.h>

#include <cmath>

#include "fixtures/outcomes.h"

namespace perfgate {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing_support::case_of;

Outcome compared(const std::string& key, const std::string& over, double time_us) {
  Outcome out = case_of(key, time_us);
  out.reports.front().compared_with = over;
  return out;
}

Outcome dense(double time_us = 100) { return case_of("s/8x8/dense", time_us); }
Outcome csr(double time_us = 80) { return compared("s/8x8/csr", "s/8x8/dense", time_us); }

Outcome with(Outcome outcome, Metric metric, double value) {
  for (auto& report : outcome.reports) {
    report.metrics[metric] = {value, true, ""};
  }
  return outcome;
}

Outcome launch_bound(Outcome outcome) {
  outcome.reports.front().phases[Phase::kWhole].protocol[kQueuedWhole] = false;
  return outcome;
}

TEST(Speedups, AreTheOtherCasesTimeOverThisOnes) {
  const auto found = speedups({dense(100), csr(80)});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].case_key, "s/8x8/csr");
  EXPECT_EQ(found[0].over, "s/8x8/dense");
  EXPECT_EQ(found[0].metric, kTime);
  EXPECT_NEAR(found[0].ratio, 1.25, 1e-12);
}

TEST(Speedups, NeedBothCases) {
  EXPECT_TRUE(speedups({csr()}).empty());
  EXPECT_TRUE(
      speedups({testing_support::unjudged(Verdict::kUnsupported, "no", "s/8x8/dense"), csr()})
          .empty());
}

TEST(Speedups, AreNetOfTheEventFloorWhereBothSidesAre) {
  const auto found = speedups({with(dense(102), kNetTime, 100), with(csr(82), kNetTime, 80)});
  EXPECT_EQ(found[0].metric, kNetTime);
  EXPECT_NEAR(found[0].ratio, 1.25, 1e-12);
  EXPECT_EQ(speedups({with(dense(), kNetTime, 97), csr()})[0].metric, kTime);
}

TEST(Speedups, AreOfBusyTimeWhereOneSideWaitsForTheHost) {
  const auto one = with(with(dense(), kNetTime, 100), kBusyTime, 60);
  const auto other = with(with(csr(), kNetTime, 80), kBusyTime, 20);
  EXPECT_EQ(speedups({one, other})[0].metric, kNetTime);
  for (const auto& pair : {std::vector{launch_bound(one), other}, {one, launch_bound(other)}}) {
    EXPECT_EQ(speedups(pair)[0].metric, kBusyTime);
    EXPECT_NEAR(speedups(pair)[0].ratio, 3, 1e-12);
  }
}

TEST(Speedups, AreOfUtilisationOfTheSameTrafficWhereThereIsNoNetTime) {
  const auto one = with(dense(100), kUtilisation, 0.4);
  auto other = with(csr(100), kUtilisation, 0.5);  // on a machine that had slowed down
  EXPECT_EQ(speedups({one, other})[0].metric, kUtilisation);
  EXPECT_NEAR(speedups({one, other})[0].ratio, 1.25, 1e-12);
  other.reports.front().phases[Phase::kWhole].traffic.bytes.count *= 2;
  EXPECT_EQ(speedups({one, other})[0].metric, kTime);
  EXPECT_NEAR(speedups({one, other})[0].ratio, 1, 1e-12);
}

// Two processes that differ by 2 %: 12.7 standard errors of 1 %.
Outcome twice(Outcome outcome) {
  const double time_us = outcome.reports.front().metrics.at(kTime).value;
  outcome.reports.front().metrics.at(kTime).value = 0.99 * time_us;
  outcome.reports.push_back(outcome.reports.front());
  outcome.reports.back().metrics.at(kTime).value = 1.01 * time_us;
  return outcome;
}

TEST(Speedups, AddTheSpreadsOfBothSidesProcesses) {
  const double one = 12.706 * 0.01;
  EXPECT_NEAR(speedups({twice(dense()), twice(csr())})[0].half_width.value(), std::hypot(one, one),
              1e-5);
}

TEST(Speedups, OfASingleProcessThatWasNotJudgedHaveNoSpread) {
  EXPECT_FALSE(speedups({twice(dense()), csr()})[0].half_width.has_value());
}

TEST(Speedups, OfSingleProcessesSpreadAsTheJudgeAllowsTheirMetric) {
  auto one = dense();
  auto other = csr();
  one.judgements = {testing_support::judgement(Verdict::kPass)};
  other.judgements = one.judgements;
  EXPECT_NEAR(speedups({one, other})[0].half_width.value(), std::hypot(0.003, 0.003), 1e-9);
  one = with(one, kNetTime, 100);  // which the judge said nothing of
  other = with(other, kNetTime, 80);
  EXPECT_FALSE(speedups({one, other})[0].half_width.has_value());
}

TEST(SpeedupsText, IsOneLineAGroupOfShapes) {
  const std::string text = speedups_text(
      {dense(), csr(), case_of("s/9x9/dense", 100), compared("s/9x9/csr", "s/9x9/dense", 50)});
  EXPECT_THAT(text,
              ContainsRegex("s/csr over dense +1\\.62x   from 1\\.25x to 2\\.00x over 2 shapes"));
}

TEST(SpeedupsText, SaysNothingOfTheSpreadOfAGroupOfWhichOneHasNone) {
  auto one = dense();
  auto other = csr();
  one.judgements = {testing_support::judgement(Verdict::kPass)};
  other.judgements = one.judgements;
  EXPECT_THAT(speedups_text({one, other}), HasSubstr("+- 0.4 %"));
  EXPECT_THAT(speedups_text({one, other, case_of("s/9x9/dense", 100),
                             compared("s/9x9/csr", "s/9x9/dense", 50)}),
              Not(HasSubstr("+-")));
  EXPECT_EQ(speedups_text({one}), "");
}

}  // namespace
}  // namespace perfgate
