#include "perfgate/gate/history.h"

#include <gtest/gtest.h>

#include "fixtures/history_fixture.h"
#include "perfgate/baseline/session_value.h"

namespace perfgate {
namespace {

using testing_support::add_revision;
using testing_support::baseline_of;
using testing_support::kClock;
using testing_support::kKey;
using testing_support::kMetric;

MetricHistory history(const Baseline& baseline) {
  return history_of(baseline, baseline.cases.at(kKey), kMetric, kClock);
}

TEST(History, CountsDegreesOfFreedomWithinUnitsAndRevisionsOnly) {
  auto baseline = baseline_of({{"A", {100}}, {"A", {100}}, {"B", {500}}});
  EXPECT_DOUBLE_EQ(history(baseline).between_sessions.degrees, 1);
  EXPECT_NEAR(history(baseline).between_sessions.sum, 0, 1e-18);  // A and B differ, A does not
  add_revision(baseline, baseline.cases[kKey], {{"A", {900}}, {"A", {900}}});
  EXPECT_DOUBLE_EQ(history(baseline).between_sessions.degrees, 2);
  EXPECT_NEAR(history(baseline).between_sessions.sum, 0, 1e-18);
}

TEST(History, TakesReferencesFromTheRevisionInForceAlone) {
  auto baseline = baseline_of({{"A", {100}}, {"B", {100}}});
  add_revision(baseline, baseline.cases[kKey], {{"A", {std::exp(1.0)}}});
  const auto devices = history(baseline).devices;
  ASSERT_EQ(devices.size(), 1U);
  EXPECT_NEAR(devices.at("A").value, 1, 1e-12);
  EXPECT_EQ(devices.at("A").sessions, 1);
}

TEST(History, CarriesTheSpreadBetweenDevicesOverRevisionsButCountsADeviceOnce) {
  // Logs 0 and 2: squared deviations from their mean sum to 2, with one degree of freedom.
  auto baseline = baseline_of({{"A", {1}}, {"B", {std::exp(2.0)}}});
  add_revision(baseline, baseline.cases[kKey], {{"C", {5}}, {"D", {5 * std::exp(2.0)}}});
  EXPECT_NEAR(history(baseline).between_devices.sum, 4, 1e-12);
  EXPECT_DOUBLE_EQ(history(baseline).between_devices.degrees, 2);
  add_revision(baseline, baseline.cases[kKey], {{"A", {7}}, {"B", {7 * std::exp(4.0)}}});
  EXPECT_NEAR(history(baseline).between_devices.sum, 2 + 8,
              1e-12);  // of the first revision nothing
  EXPECT_DOUBLE_EQ(history(baseline).between_devices.degrees, 2);
}

TEST(History, PoolsTheSpreadOfWorkersOverSessions) {
  // Logs 0 and 2: variance 2, of their mean 1, in one of two sessions; a single worker tells
  // nothing.
  const auto baseline = baseline_of({{"A", {1, std::exp(2.0)}}, {"A", {3, 3}}, {"A", {1}}});
  EXPECT_NEAR(history(baseline).of_values.sum, 1, 1e-12);
  EXPECT_DOUBLE_EQ(history(baseline).of_values.degrees, 2);
}

TEST(History, KnowsHowLittleTheBestOfAFewIsWorthByTheSecondBest) {
  // The jackknife's (4/5 x 0.5)^2, for 1 and 1.5 are the best two of the logs.
  const std::vector<double> measurements = {std::exp(3.0), std::exp(1.5), std::exp(1.0),
                                            std::exp(7.0), std::exp(2.0)};
  EXPECT_NEAR(value_variance(measurements, Better::kLower, Statistic::kBest), 0.16, 1e-12);
  EXPECT_NEAR(value_variance(measurements, Better::kHigher, Statistic::kBest), 10.24,
              1e-12);  // 7 and 3
  EXPECT_EQ(value_variance({5}, Better::kLower, Statistic::kBest), 0);
}

TEST(History, SignsValuesSoThatLargerIsSlower) {
  EXPECT_NEAR(session_value({std::exp(1.0)}, Better::kLower, Statistic::kMedian), 1, 1e-12);
  EXPECT_NEAR(session_value({std::exp(1.0)}, Better::kHigher, Statistic::kMedian), -1, 1e-12);
}

TEST(History, TakesTheBestWorkerWhereAProcessDrawsOneOfSeveralModes) {
  const std::vector<double> measurements = {std::exp(1.0), std::exp(3.0), std::exp(5.0)};
  EXPECT_NEAR(session_value(measurements, Better::kLower, Statistic::kMedian), 3, 1e-12);
  EXPECT_NEAR(session_value(measurements, Better::kLower, Statistic::kBest), 1, 1e-12);
  EXPECT_NEAR(session_value(measurements, Better::kHigher, Statistic::kBest), -5, 1e-12);
}

TEST(History, LeavesOutAnOlderRevisionFromBeforeTheMetricWasJudged) {
  auto baseline = baseline_of({{"A", {100}}, {"A", {100}}});
  auto& record = baseline.cases[kKey];
  record.revisions.front().measurements = {
      {kHostTime, record.revisions.front().measurements.at(kMetric)}};
  add_revision(baseline, record, {{"A", {50}}});
  EXPECT_DOUBLE_EQ(history(baseline).between_sessions.degrees, 0);
}

TEST(History, KnowsHowFastADeviceReadsDramWhereEachOfItsReferencesSaysSo) {
  auto baseline = baseline_of({{"A", {100}}, {"A", {100}}, {"B", {98}}});
  for (auto& [id, session] : baseline.sessions) {
    session.ceilings[kDramRead] = session.device_id == "A" ? 4500 : 4600;
  }
  ASSERT_EQ(history(baseline).device_points.front().size(), 2U);
  EXPECT_NEAR(*history(baseline).devices.at("A").log_dram_read, std::log(4500), 1e-12);
  EXPECT_NEAR(history(baseline).device_points.front().back().value, std::log(98), 1e-12);
  baseline.sessions.begin()->second.ceilings.clear();
  EXPECT_FALSE(history(baseline).devices.at("A").log_dram_read);
  EXPECT_EQ(history(baseline).device_points.front().size(), 1U);
}

}  // namespace
}  // namespace perfgate
