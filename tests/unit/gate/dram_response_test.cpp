#include "perfgate/gate/dram_response.h"

#include <gtest/gtest.h>

#include <cmath>

namespace perfgate {
namespace {

constexpr double kCertain = 1e9;

// What is known of the variance is exact, and of the slope next to nothing.
const DramPolicy kOpen = {{1e-6, kCertain}, 100};

TEST(DramResponse, IsTheLineThroughWhatWasMeasured) {
  // Values at rates 0, 0.01 and 0.02 on a line of slope -1.5.
  const auto found = fit_dram_response({{{0, 5}, {0.01, 4.985}, {0.02, 4.97}}}, kOpen);
  EXPECT_NEAR(found.slope, -1.5, 1e-5);
  EXPECT_NEAR(found.variance, 1e-6 / 2e-4, 1e-6);
}

TEST(DramResponse, IsOfDifferencesWithinARevision) {
  // Each revision has a slope of 2; the second made everything slower.
  const auto found = fit_dram_response({{{0, 1}, {0.01, 1.02}}, {{0.02, 9}, {0.04, 9.04}}}, kOpen);
  EXPECT_NEAR(found.slope, 2, 1e-4);
}

TEST(DramResponse, IsShrunkTowardNoneByWhatTheRatesLeaveOpen) {
  // Two devices 0.01 apart: sum of squares 5e-5, weight 5e-5 / 1e-4 = 0.5; the prior's is 1 / 2^2.
  const auto found = fit_dram_response({{{0, 1}, {0.01, 1.03}}}, {{1e-4, kCertain}, 2});
  EXPECT_NEAR(found.slope, 3 * 0.5 / 0.75, 1e-5);
  EXPECT_NEAR(found.variance, 1 / 0.75, 1e-5);
}

TEST(DramResponse, OfOneKindOfMemoryIsThePriors) {
  const auto found = fit_dram_response({{{8.4, 1}, {8.4, 1.01}}, {}}, {{1e-4, 4}, 0.7});
  EXPECT_EQ(found.slope, 0);
  EXPECT_NEAR(found.variance, 0.49, 1e-12);
  // (2 (0.005)^2 + 4 1e-4) / (1 + 4)
  EXPECT_NEAR(found.remaining.variance, 4.5e-4 / 5, 1e-12);
  EXPECT_EQ(found.remaining.degrees, 5);
}

TEST(DramResponse, PaysForItsSlopeWithADegreeOfFreedom) {
  const DramPolicy vague = {{1e-6, 0.01}, 100};
  const auto found = fit_dram_response({{{0, 5}, {0.01, 4.98}, {0.02, 4.97}, {0.03, 4.96}}}, vague);
  EXPECT_NEAR(found.remaining.degrees, 2.01, 0.01);
}

}  // namespace
}  // namespace perfgate
