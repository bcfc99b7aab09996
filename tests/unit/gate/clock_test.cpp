#include "perfgate/gate/clock.h"

#include <gmock/gmock.h>

#include <cmath>

#include "history_fixture.h"

namespace perfgate {
namespace {

using testing::DoubleNear;
using testing::Each;
using testing_support::figures_at;

const std::vector<double> kTwoLevels = {1590, 1590, 1515, 1590, 1515};
const std::vector<double> kOneLevel = {1500, 1500, 1500, 1500, 1500};

TEST(ClockResponse, IsNothingWhereABodyOnlyComputes) {
  const auto response = fit_clock_response({figures_at(kTwoLevels, 0), figures_at(kTwoLevels, 0)});
  EXPECT_NEAR(response.slope, 0, 0.01);
  EXPECT_LT(std::sqrt(response.variance), 0.03);
}

TEST(ClockResponse, IsOneToOneWhereABodyWaitsForMemory) {
  const auto waits = figures_at(kTwoLevels, 1);
  EXPECT_THAT(waits.at(kTimeOfCycles), Each(DoubleNear(1e6 / 1500, 1e-9)));  // as long at any clock
  EXPECT_NEAR(fit_clock_response({waits, waits}).slope, 1, 0.01);
}

TEST(ClockResponse, IsTheUsualOneAndUncertainWhereOneClockWasSeen) {
  const auto response = fit_clock_response({figures_at(kOneLevel, 0)});
  EXPECT_DOUBLE_EQ(response.slope, 0.33);
  EXPECT_DOUBLE_EQ(std::sqrt(response.variance), 0.40);
  EXPECT_NEAR(response.log_mhz, std::log(1500), 1e-12);
  EXPECT_DOUBLE_EQ(fit_clock_response({figures_at({1500}, 0)}).slope, 0.33);  // one worker alone
}

TEST(ClockResponse, LearnsNothingFromWhatDiffersBetweenSessions) {
  // The second session took more for a reason of its own, and had another clock besides.
  const auto response =
      fit_clock_response({figures_at(kOneLevel, 0), figures_at({1600, 1600}, 0, 1.1)});
  EXPECT_DOUBLE_EQ(response.slope, 0.33);
  EXPECT_NEAR(response.log_mhz, (std::log(1500) + std::log(1600)) / 2, 1e-12);
}

TEST(ClockResponse, IsDrawnTowardTheUsualOneByHowLittleClocksDiffered) {
  // Weights: deviations of +-0.001 in four workers over a noise of 0.002 (nothing scatters around
  // the line: 4 degrees of the usual noise, 2 of none), and 1 / 0.4^2 of what is usual.
  const auto response =
      fit_clock_response({figures_at({1500 * std::exp(0.001), 1500 * std::exp(-0.001),
                                      1500 * std::exp(0.001), 1500 * std::exp(-0.001)},
                                     0)});
  const double data = 4e-6 / (4 * 0.002 * 0.002 / 6);
  const double prior = 1 / (0.4 * 0.4);
  EXPECT_NEAR(response.slope, 0.33 * prior / (data + prior), 1e-6);
  EXPECT_NEAR(response.variance, 1 / (data + prior), 1e-6);
  EXPECT_DOUBLE_EQ(response.degrees, 6);
}

TEST(Clock, CyclesAtOneClockAreAlikeWhateverTheClock) {
  const auto waits = figures_at(kTwoLevels, 1);
  const ClockResponse response = {.slope = 1, .log_mhz = std::log(1500)};
  EXPECT_THAT(cycles_at_one_clock(waits, response), Each(DoubleNear(1e6, 1e-3)));
  EXPECT_NEAR(mean_log_mhz(waits), (3 * std::log(1590) + 2 * std::log(1515)) / 5, 1e-12);
}

}  // namespace
}  // namespace perfgate
