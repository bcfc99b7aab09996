#include "perfgate/gate/choose_metric.h"

#include <gtest/gtest.h>

#include "fixtures/history_fixture.h"

namespace perfgate {
namespace {

std::map<std::string, MeasuredMetric> metrics(const std::vector<double>& net,
                                              const std::vector<double>& busy) {
  std::map<std::string, MeasuredMetric> out;
  out["net_time"] = {testing_support::judged_metric(), net};
  out["busy_time"] = {testing_support::judged_metric(), busy};
  out["busy_time"].description.judged = false;
  return out;
}

Policy policy() {
  Policy out = testing_support::policy_with({1e-6, 100}, {1e-6, 100});
  out.busy_spread_ratio = 3;
  out.busy_least_spread = 0.01;
  out.net_tolerance = 0.1;
  return out;
}

TEST(ChooseJudgedMetric, TakesBusyTimeWhereGapsAreALottery) {
  auto lstm = metrics({1046, 1077, 1255, 1329, 1050}, {824, 825, 824, 823, 824});
  choose_judged_metric(lstm, policy());
  EXPECT_TRUE(lstm["busy_time"].description.judged);
  EXPECT_TRUE(lstm["net_time"].description.judged);
  EXPECT_EQ(lstm["net_time"].description.statistic, Statistic::kBest);
  EXPECT_EQ(lstm["net_time"].description.tolerance, 0.1);
  EXPECT_EQ(lstm["busy_time"].description.statistic, Statistic::kMedian);
}

TEST(ChooseJudgedMetric, CountsTheLotteryToWhatLaunchingCosts) {
  auto lstm = metrics({1046, 1077, 1255, 1329, 1050}, {824, 825, 824, 823, 824});
  for (auto& [name, metric] : lstm) {
    metric.description.variance_class = "cuda/compute/long";
  }
  choose_judged_metric(lstm, policy());
  EXPECT_EQ(lstm["net_time"].description.variance_class, "cuda/launch");
  EXPECT_EQ(lstm["busy_time"].description.variance_class, "cuda/compute/long");
}

TEST(ChooseJudgedMetric, TakesBusyTimeOfWhatWaitsForTheHostHoweverSteadyItHappensToBe) {
  auto nested = metrics({664, 663, 665, 664, 663}, {512, 512, 513, 512, 512});
  nested["net_time"].description.protocol["held"] = true;
  auto unheld = nested;
  unheld["net_time"].description.protocol["held"] = false;
  EXPECT_FALSE(needs_busy_time(nested, policy()));
  EXPECT_TRUE(needs_busy_time(unheld, policy()));
  choose_judged_metric(nested, policy());
  choose_judged_metric(unheld, policy());
  EXPECT_FALSE(nested["busy_time"].description.judged);
  EXPECT_TRUE(unheld["busy_time"].description.judged);
  EXPECT_EQ(unheld["net_time"].description.statistic, Statistic::kBest);
}

// What the regulator's clock does to net time, busy time may escape by chance: it is traced later.
TEST(ChooseJudgedMetric, LeavesNetTimeWhereTheClockSpreadsAlone) {
  auto product = metrics({7131, 7145, 7463, 7147, 7137}, {7230, 7231, 7229, 7230, 7231});
  product["sm_cycles"] = {testing_support::judged_metric(), {11.34, 11.35, 11.33, 11.35, 11.34}};
  EXPECT_FALSE(needs_busy_time(product, policy()));
  choose_judged_metric(product, policy());
  EXPECT_FALSE(product["busy_time"].description.judged);
  EXPECT_TRUE(product["sm_cycles"].description.judged);
}

// As measured, sparse/linear/fixed_mn/bf16/k15360: it waits for memory, so that a lower clock
// takes cycles off, and no time on.
TEST(ChooseJudgedMetric, TakesTheClockOutOfCyclesBeforeItCallsThemALottery) {
  auto waits = metrics({2497, 2488, 2503, 2497, 2492}, {2490, 2503, 2497, 2485, 2499});
  waits["sm_cycles"] = {testing_support::judged_metric(), {3.87e6, 3.52e6, 3.88e6, 3.87e6, 3.53e6}};
  EXPECT_FALSE(needs_busy_time(waits, policy()));
  choose_judged_metric(waits, policy());
  EXPECT_TRUE(waits["sm_cycles"].description.judged);
}

TEST(ChooseJudgedMetric, DoesNotJudgeTheCyclesOfALottery) {
  auto lstm = metrics({1046, 1077, 1255, 1329, 1050}, {824, 825, 824, 823, 824});
  lstm["sm_cycles"] = {testing_support::judged_metric(), {2.07, 2.13, 2.48, 2.63, 2.08}};
  choose_judged_metric(lstm, policy());
  EXPECT_TRUE(lstm["busy_time"].description.judged);
  EXPECT_FALSE(lstm["sm_cycles"].description.judged);
}

// Gaps draw no power: the clock rises a little with every one, and does not explain it.
TEST(ChooseJudgedMetric, KnowsALotteryThatTheClockFollows) {
  const std::vector<double> time_us = {1046, 1077, 1255, 1329, 1050};
  auto lstm = metrics(time_us, {824, 825, 824, 823, 824});
  auto& cycles = lstm["sm_cycles"];
  cycles.description = testing_support::judged_metric();
  for (const double us : time_us) {
    cycles.figures.push_back(us * 1900 * std::pow(us / 1046, 0.1));
  }
  choose_judged_metric(lstm, policy());
  EXPECT_TRUE(lstm["busy_time"].description.judged);
}

TEST(ChooseJudgedMetric, LeavesNetTimeWhereBothSpreadAlikeOrNeitherDoes) {
  for (auto steady : {metrics({100, 110, 120, 105, 95}, {90, 99, 108, 95, 86}),
                      metrics({100, 100.1, 99.9, 100, 100.2}, {90, 90, 90, 90, 90})}) {
    choose_judged_metric(steady, policy());
    EXPECT_FALSE(steady["busy_time"].description.judged);
    EXPECT_EQ(steady["net_time"].description.statistic, Statistic::kMedian);
  }
}

TEST(ChooseJudgedMetric, LeavesCasesAloneThatAreJudgedOtherwiseOrUntraced) {
  auto host = metrics({100, 150, 200, 120, 90}, {90, 90, 90, 90, 90});
  host["net_time"].description.judged = false;
  choose_judged_metric(host, policy());
  EXPECT_FALSE(host["busy_time"].description.judged);
  auto untraced = metrics({100, 150, 200, 120, 90}, {});
  untraced.erase("busy_time");
  choose_judged_metric(untraced, policy());
  EXPECT_EQ(untraced["net_time"].description.statistic, Statistic::kMedian);
}

}  // namespace
}  // namespace perfgate
