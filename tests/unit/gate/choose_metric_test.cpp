#include "perfgate/gate/choose_metric.h"

#include <gtest/gtest.h>

#include "fixtures/history_fixture.h"

namespace perfgate {
namespace {

CaseSession metrics(const std::vector<double>& net, const std::vector<double>& busy) {
  CaseSession out;
  out.phases[Phase::kWhole] = {};
  out.metrics[kNetTime] = {testing_support::judged_metric(), net};
  out.metrics[kBusyTime] = {testing_support::judged_metric(), busy};
  out.metrics[kBusyTime].description.judged = false;
  return out;
}

Policy policy() {
  Policy out = testing_support::policy_with({1e-6, 100}, {1e-6, 100});
  out.busy_spread_ratio = 3;
  out.busy_least_spread = 0.01;
  out.net_tolerance = 0.1;
  return out;
}

TEST(ChooseJudgedMetric, TakesBusyTimeWhereGapsVary) {
  auto lstm = metrics({1046, 1077, 1255, 1329, 1050}, {824, 825, 824, 823, 824});
  choose_judged_metrics(lstm, policy());
  EXPECT_TRUE(lstm.metrics[kBusyTime].description.judged);
  EXPECT_TRUE(lstm.metrics[kNetTime].description.judged);
  EXPECT_EQ(lstm.metrics[kNetTime].description.statistic, Statistic::kBest);
  EXPECT_EQ(lstm.metrics[kNetTime].description.tolerance, 0.1);
  EXPECT_EQ(lstm.metrics[kBusyTime].description.statistic, Statistic::kMedian);
}

TEST(ChooseJudgedMetric, CountsVaryingGapsToWhatLaunchingCosts) {
  auto lstm = metrics({1046, 1077, 1255, 1329, 1050}, {824, 825, 824, 823, 824});
  for (auto& [name, metric] : lstm.metrics) {
    metric.description.variance_class = "cuda/compute/long";
  }
  choose_judged_metrics(lstm, policy());
  EXPECT_EQ(lstm.metrics[kNetTime].description.variance_class, "cuda/launch");
  EXPECT_EQ(lstm.metrics[kBusyTime].description.variance_class, "cuda/compute/long");
}

TEST(ChooseJudgedMetric, TakesBusyTimeOfWhatWaitsForTheHostHoweverSteadyItHappensToBe) {
  auto nested = metrics({664, 663, 665, 664, 663}, {512, 512, 513, 512, 512});
  nested.phases[Phase::kWhole].protocol[kQueuedWhole] = true;
  auto launch_bound = nested;
  launch_bound.phases[Phase::kWhole].protocol[kQueuedWhole] = false;
  EXPECT_FALSE(needs_busy_time(nested, Phase::kWhole, policy()));
  EXPECT_TRUE(needs_busy_time(launch_bound, Phase::kWhole, policy()));
  choose_judged_metrics(nested, policy());
  choose_judged_metrics(launch_bound, policy());
  EXPECT_FALSE(nested.metrics[kBusyTime].description.judged);
  EXPECT_TRUE(launch_bound.metrics[kBusyTime].description.judged);
  EXPECT_EQ(launch_bound.metrics[kNetTime].description.statistic, Statistic::kBest);
}

// Gaps differ from session to session, and by the first one alone that cannot be told.
TEST(ChooseJudgedMetric, TakesBusyTimeThatIsAskedForAndDoesNotJudgeTheHostTwice) {
  for (const bool queued_whole : {true, false}) {
    auto lstm = metrics({664, 663, 665, 664, 663}, {512, 512, 513, 512, 512});
    lstm.metrics[kBusyTime].description.judged = true;
    lstm.phases[Phase::kWhole].protocol[kQueuedWhole] = queued_whole;
    lstm.metrics[kRelativeHostTime] = {testing_support::judged_metric(), {170, 171, 170, 172, 170}};
    lstm.metrics[kCycles] = {testing_support::judged_metric(), {1.3, 1.3, 1.3, 1.3, 1.3}};
    EXPECT_TRUE(needs_busy_time(lstm, Phase::kWhole, policy()));
    choose_judged_metrics(lstm, policy());
    EXPECT_TRUE(lstm.metrics[kBusyTime].description.judged);
    EXPECT_TRUE(lstm.metrics[kRelativeHostTime].description.judged);
    EXPECT_EQ(lstm.metrics[kNetTime].description.judged, queued_whole);
    EXPECT_FALSE(lstm.metrics[kCycles].description.judged);
  }
}

// A graph's gaps are the device's, and part of what its replay takes.
TEST(ChooseJudgedMetric, LeavesTheNetTimeOfASteadyGraphBesideTheHosts) {
  auto graph = metrics({5180, 5181, 5180, 5182, 5180}, {5126, 5126, 5126, 5126, 5126});
  graph.metrics[kRelativeHostTime] = {testing_support::judged_metric(), {40, 41, 40, 42, 40}};
  graph.phases[Phase::kWhole].protocol[kQueuedWhole] = true;
  choose_judged_metrics(graph, policy());
  EXPECT_FALSE(graph.metrics[kBusyTime].description.judged);
  EXPECT_TRUE(graph.metrics[kNetTime].description.judged);
  EXPECT_EQ(graph.metrics[kNetTime].description.statistic, Statistic::kMedian);
  EXPECT_TRUE(graph.metrics[kRelativeHostTime].description.judged);
}

// What the regulator's clock does to net time, busy time may escape by chance: it is traced later.
TEST(ChooseJudgedMetric, LeavesNetTimeWhereTheClockSpreadsAlone) {
  auto product = metrics({7131, 7145, 7463, 7147, 7137}, {7230, 7231, 7229, 7230, 7231});
  product.metrics[kCycles] = {testing_support::judged_metric(),
                              {11.34, 11.35, 11.33, 11.35, 11.34}};
  EXPECT_FALSE(needs_busy_time(product, Phase::kWhole, policy()));
  choose_judged_metrics(product, policy());
  EXPECT_FALSE(product.metrics[kBusyTime].description.judged);
  EXPECT_TRUE(product.metrics[kCycles].description.judged);
}

// As measured, sparse/linear/fixed_mn/bf16/k15360: it waits for memory, so that a lower clock
// takes cycles off, and no time on.
TEST(ChooseJudgedMetric, TakesTheClockOutOfCyclesBeforeItCallsThemVarying) {
  auto waits = metrics({2497, 2488, 2503, 2497, 2492}, {2490, 2503, 2497, 2485, 2499});
  waits.metrics[kCycles] = {testing_support::judged_metric(),
                            {3.87e6, 3.52e6, 3.88e6, 3.87e6, 3.53e6}};
  EXPECT_FALSE(needs_busy_time(waits, Phase::kWhole, policy()));
  choose_judged_metrics(waits, policy());
  EXPECT_TRUE(waits.metrics[kCycles].description.judged);
}

TEST(ChooseJudgedMetric, DoesNotJudgeTheCyclesOfVaryingGaps) {
  auto lstm = metrics({1046, 1077, 1255, 1329, 1050}, {824, 825, 824, 823, 824});
  lstm.metrics[kCycles] = {testing_support::judged_metric(), {2.07, 2.13, 2.48, 2.63, 2.08}};
  choose_judged_metrics(lstm, policy());
  EXPECT_TRUE(lstm.metrics[kBusyTime].description.judged);
  EXPECT_FALSE(lstm.metrics[kCycles].description.judged);
}

// Gaps draw no power: the clock rises a little with every one, and does not explain it.
TEST(ChooseJudgedMetric, KnowsVaryingGapsThatTheClockFollows) {
  const std::vector<double> time_us = {1046, 1077, 1255, 1329, 1050};
  auto lstm = metrics(time_us, {824, 825, 824, 823, 824});
  auto& cycles = lstm.metrics[kCycles];
  cycles.description = testing_support::judged_metric();
  for (const double us : time_us) {
    cycles.measurements.push_back(us * 1900 * std::pow(us / 1046, 0.1));
  }
  choose_judged_metrics(lstm, policy());
  EXPECT_TRUE(lstm.metrics[kBusyTime].description.judged);
}

TEST(ChooseJudgedMetric, LeavesNetTimeWhereBothSpreadAlikeOrNeitherDoes) {
  for (auto steady : {metrics({100, 110, 120, 105, 95}, {90, 99, 108, 95, 86}),
                      metrics({100, 100.1, 99.9, 100, 100.2}, {90, 90, 90, 90, 90})}) {
    choose_judged_metrics(steady, policy());
    EXPECT_FALSE(steady.metrics[kBusyTime].description.judged);
    EXPECT_EQ(steady.metrics[kNetTime].description.statistic, Statistic::kMedian);
  }
}

TEST(ChooseJudgedMetric, LeavesCasesAloneThatAreJudgedOtherwiseOrUntraced) {
  auto host = metrics({100, 150, 200, 120, 90}, {90, 90, 90, 90, 90});
  host.metrics[kNetTime].description.judged = false;
  choose_judged_metrics(host, policy());
  EXPECT_FALSE(host.metrics[kBusyTime].description.judged);
  auto untraced = metrics({100, 150, 200, 120, 90}, {});
  untraced.metrics.erase(kBusyTime);
  choose_judged_metrics(untraced, policy());
  EXPECT_EQ(untraced.metrics[kNetTime].description.statistic, Statistic::kMedian);
}

}  // namespace
}  // namespace perfgate
