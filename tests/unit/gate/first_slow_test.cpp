// The posterior over the first slow build: answers that can be checked by hand, and what must not
// be overlooked.

#include "perfgate/gate/first_slow.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <vector>

namespace perfgate {
namespace {

// A pair's difference varies by 1 %, which is well known.
FirstSlowPrior prior(double several = 0) {
  FirstSlowPrior out;
  out.several = several;
  out.tolerance = 0.02;
  out.noise = {1e-4, 1e6};
  return out;
}

std::vector<double> pairs(double change, int count = 16) {
  return std::vector<double>(static_cast<std::size_t>(count), change);
}

TEST(FirstSlow, AfterTheEndsAloneIsAnyBuildButTheOldest) {
  FirstSlowData data(9, prior());
  data.add(0, 8, pairs(0.10));
  const auto out = data.posterior();
  ASSERT_EQ(out.gaps.size(), 1);
  EXPECT_EQ(out.gaps[0].size(), 8);
  EXPECT_NEAR(out.mass[0], 1, 1e-9);
  EXPECT_NEAR(out.changes[0].change, std::expm1(0.10), 1e-3);
  EXPECT_NEAR(out.changes[0].highest, std::expm1(0.10 + 1.96 * 0.0025), 3e-4);
}

// Even prior odds; of delta a share of about ln(0.005 sqrt(2 pi) / 0.03) is left by the data.
TEST(FirstSlow, WeighsNoneAgainstADifferenceOfFewStandardErrors) {
  FirstSlowData data(9, prior());
  data.add(0, 8, pairs(0.03, 4));  // six standard errors
  const double likelihood = std::exp(-0.5 * 36);
  const double slow =
      0.005 * std::sqrt(2 * M_PI) / 0.03 / std::log(std::log(100) / (std::log1p(0.02) / 2));
  EXPECT_NEAR(data.posterior().none / (likelihood / (likelihood + slow)), 1, 0.1);
}

TEST(FirstSlow, IsNoneWhereTheEndsTurnOutEqual) {
  FirstSlowData data(9, prior());
  data.add(0, 8, pairs(0, 64));
  EXPECT_GT(data.posterior().none, 0.99);
}

TEST(FirstSlow, IsBehindABuildThatIsStillFast) {
  FirstSlowData data(9, prior());
  data.add(0, 8, pairs(0.10));
  data.add(0, 4, pairs(0));
  const auto out = data.posterior();
  ASSERT_EQ(out.gaps.size(), 2);
  EXPECT_EQ(out.gaps[out.best()].after, 4);
  EXPECT_EQ(out.gaps[out.best()].last, 8);
  EXPECT_GT(out.mass[out.best()], 0.999);
}

// A later measurement outweighs what an unlucky one said.
TEST(FirstSlow, ChangesItsMind) {
  FirstSlowData data(9, prior());
  data.add(0, 8, pairs(0.03));
  data.add(0, 4, {{0.03, 0.03}});
  EXPECT_EQ(data.posterior().best(), 0);
  data.add(0, 4, pairs(0));
  EXPECT_EQ(data.posterior().best(), 1);
}

// By hand: the pairs before 4 and behind it are as many, and each excludes the other's place.
TEST(FirstSlow, SharesAnEvenDoubtByTheNumberOfBuilds) {
  FirstSlowData data(9, prior());
  data.add(0, 8, pairs(0.10));
  data.mark(2);
  const auto out = data.posterior();
  EXPECT_NEAR(out.mass[0], 2.0 / 8, 1e-6);
  EXPECT_NEAR(out.mass[1], 6.0 / 8, 1e-6);
}

TEST(FirstSlow, SeesThatTwoBuildsAreSlow) {
  FirstSlowData data(3, prior(0.05));
  data.add(0, 2, pairs(0.10));
  data.add(0, 1, pairs(0.05));
  const auto out = data.posterior();
  EXPECT_EQ(out.gaps[out.best()].last, 1);
  EXPECT_GT(out.another[0], 0.99);
  EXPECT_NEAR(out.changes[0].change, std::expm1(0.05), 2e-3);
}

TEST(FirstSlow, SeesNoSecondChangeWhereThereIsNone) {
  FirstSlowData data(3, prior(0.05));
  data.add(0, 2, pairs(0.10));
  data.add(0, 1, pairs(0.10));
  const auto out = data.posterior();
  EXPECT_GT(out.mass[0], 0.99);
  EXPECT_LT(out.another[0], 0.01);
}

// Better by 5 %, then slower by 15 %: 10 % in all.
TEST(FirstSlow, CallsNoImprovementSlow) {
  FirstSlowData data(3, prior(0.05));
  data.add(0, 2, pairs(0.10));
  data.add(0, 1, pairs(-0.05));
  const auto out = data.posterior();
  EXPECT_EQ(out.gaps[out.best()].last, 2);
  EXPECT_NEAR(out.changes[out.best()].change, std::expm1(0.15), 3e-3);
}

// Of 2 % a quarter and three quarters: the second is meant, for the first is within what is
// ignored.
TEST(FirstSlow, IgnoresAFirstChangeOfLessThanHalfTheTolerance) {
  FirstSlowData data(3, prior(0.5));
  data.add(0, 2, pairs(0.02, 400));
  data.add(0, 1, pairs(0.005, 400));
  EXPECT_EQ(data.posterior().best(), 1);
}

TEST(FirstSlow, LearnsTheNoiseFromThePairs) {
  auto unknown = prior();
  unknown.noise = {1e-2, 2};
  FirstSlowData data(3, unknown);
  for (int i = 0; i < 200; ++i) {
    data.add(0, 2, {{0.11, 0.09}});
  }
  EXPECT_NEAR(data.variance(), 1e-4, 1e-4);
}

TEST(FirstSlow, NeedsTheEnds) {
  FirstSlowData data(3, prior());
  data.add(0, 1, pairs(0));
  EXPECT_THROW((void)data.posterior(), std::logic_error);
}

}  // namespace
}  // namespace perfgate
