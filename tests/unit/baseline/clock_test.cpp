#include "perfgate/baseline/clock.h"

#include <gmock/gmock.h>

#include <cmath>
#include <utility>

#include "fixtures/history_fixture.h"

namespace perfgate {
namespace {

using testing::DoubleNear;
using testing::Each;
using testing::Pointwise;
using testing_support::kClock;
using testing_support::measurements_at;

const std::vector<double> kTwoLevels = {1590, 1590, 1515, 1590, 1515};
const std::vector<double> kOneLevel = {1500, 1500, 1500, 1500, 1500};

ClockResponse fit(const std::vector<SessionMeasurements>& sessions) {
  return fit_clock_response(sessions, Phase::kWhole, kClock);
}

// Workers whose clock and cycles are so many percent from 1500 MHz and 1e6, in logs.
SessionMeasurements scattered(const std::vector<std::pair<double, double>>& clock_and_cycles) {
  SessionMeasurements out;
  for (const auto& [clock, cycles] : clock_and_cycles) {
    out[kCycles].push_back(1e6 * std::exp(0.01 * cycles));
    out[kNetTime].push_back(out[kCycles].back() / (1500 * std::exp(0.01 * clock)));
  }
  return out;
}

TEST(ClockResponse, IsNothingWhereABodyOnlyComputes) {
  const auto response = fit({measurements_at(kTwoLevels, 0), measurements_at(kTwoLevels, 0)});
  EXPECT_NEAR(response.slope, 0, 0.01);
  EXPECT_LT(std::sqrt(response.variance), 0.03);
}

TEST(ClockResponse, IsOneToOneWhereABodyWaitsForMemory) {
  const auto waits = measurements_at(kTwoLevels, 1);
  EXPECT_THAT(waits.at(kNetTime), Each(DoubleNear(1e6 / 1500, 1e-9)));  // as long at any clock
  EXPECT_NEAR(fit({waits, waits}).slope, 1, 0.01);
}

TEST(ClockResponse, IsTheUsualOneAndUncertainWhereOneClockWasSeen) {
  const auto response = fit({measurements_at(kOneLevel, 0)});
  EXPECT_DOUBLE_EQ(response.slope, 0.33);
  EXPECT_DOUBLE_EQ(std::sqrt(response.variance), 0.40);
  EXPECT_NEAR(response.log_mhz, std::log(1500), 1e-12);
  EXPECT_DOUBLE_EQ(fit({measurements_at({1500}, 0)}).slope, 0.33);  // one worker alone
}

TEST(ClockResponse, LearnsNothingFromWhatDiffersBetweenSessions) {
  // The second session took more for a reason of its own, and had another clock besides.
  const auto response = fit({measurements_at(kOneLevel, 0), measurements_at({1600, 1600}, 0, 1.1)});
  EXPECT_DOUBLE_EQ(response.slope, 0.33);
  EXPECT_NEAR(response.log_mhz, (std::log(1500) + std::log(1600)) / 2, 1e-12);
}

TEST(ClockResponse, WeighsWhatWasSeenAgainstWhatIsUsual) {
  // Clocks +-1 %: sum of squares 4e-4, of which jitter makes 3 x 0.002^2 = 1.2e-5, a share of 0.03.
  // Cycles (1, 0, 0, -1) %: products 2e-4, squares 2e-4. So the line is 1/2, and what is left of
  // the squares is 1e-4, with 2 degrees; with the usual 4 of 0.002^2, noise is 1.16e-4 / 6.
  const auto response = fit({scattered({{1, 1}, {1, 0}, {-1, 0}, {-1, -1}})});
  const double seen = 0.97 * 4e-4 / (1.16e-4 / 6);
  const double usual = 1 / (0.40 * 0.40);
  EXPECT_NEAR(response.slope, (seen * 0.5 + usual * 0.33) / (seen + usual), 1e-9);
  EXPECT_NEAR(response.variance, 1 / (seen + usual), 1e-9);
  EXPECT_DOUBLE_EQ(response.degrees, 6);
}

// A body that stalls longer draws less, and its clock rises: then cycles are the cause.
TEST(ClockResponse, LearnsNothingFromJitter) {
  EXPECT_DOUBLE_EQ(fit({scattered({{0.1, 0.2}, {-0.1, -0.2}, {0.1, 0.2}, {-0.1, -0.2}})}).slope,
                   0.33);
}

TEST(ClockResponse, IsNeverMoreThanWaitingForMemoryOrLessThanComputing) {
  EXPECT_DOUBLE_EQ(fit({scattered({{1, 2}, {-1, -2}, {1, 2}, {-1, -2}})}).slope, 1);
  EXPECT_DOUBLE_EQ(fit({scattered({{1, -2}, {-1, 2}, {1, -2}, {-1, 2}})}).slope, 0);
}

TEST(Clock, CyclesAtOneClockAreAlikeWhateverTheClock) {
  const auto waits = measurements_at(kTwoLevels, 1);
  const ClockResponse response = {.slope = 1, .log_mhz = std::log(1500)};
  EXPECT_THAT(cycles_at_one_clock(waits, Phase::kWhole, response), Each(DoubleNear(1e6, 1e-3)));
  EXPECT_THAT(clocks_mhz(waits, Phase::kWhole), Pointwise(DoubleNear(1e-9), kTwoLevels));
}

}  // namespace
}  // namespace perfgate
