// The CUSUM over nights, against hand-computed sums.

#include "perfgate/gate/cusum.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace perfgate {
namespace {

// As good as known: Student's t is the normal's.
constexpr double kKnown = 1e9;
constexpr double kExact = 1e-9;

// Noise 1; `reference`: its standard error.
std::vector<NightPoint> nights_of(const std::vector<double>& changes, double reference = kExact,
                                  double degrees = kKnown) {
  std::vector<NightPoint> out;
  for (const double change : changes) {
    out.push_back({{change}, 1, reference, degrees});
  }
  return out;
}

CusumRule rule(double limit, double tolerance = 0) {
  return {.allowance = 1,
          .clip = 4,
          .least_nights = 2,
          .newest_nights = 5,
          .tolerance = tolerance,
          .limit = limit};
}

// Many nights that lie on both sides of the reference, behind which come these.
std::vector<double> after_quiet_nights(int quiet, const std::vector<double>& then) {
  std::vector<double> out;
  for (int i = 0; i < quiet; ++i) {
    out.push_back(i % 2 == 0 ? 1 : -1);
  }
  out.insert(out.end(), then.begin(), then.end());
  return out;
}

TEST(Cusum, IsPagesSumWhereTheReferenceIsExact) {
  // 2 + 2 - 2 * 1 = 2, and 2.5 more - 1: 3.5.
  EXPECT_FALSE(find_creep(nights_of({2, 2, 2.5}), rule(3.51)));
  const auto found = find_creep(nights_of({2, 2, 2.5}), rule(3.49));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->since, 0U);
  EXPECT_EQ(found->found, 2U);
  EXPECT_NEAR(found->change.log, 6.5 / 3, 1e-9);
}

TEST(Cusum, BeginsAtTheNightBehindWhichTheSumIsLargest) {
  const auto found = find_creep(nights_of({0.5, -1, 0.9, 2, 3, 3}), rule(4.9));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->since, 3U);
  EXPECT_EQ(found->found, 5U);
}

TEST(Cusum, IsOfAtLeastTwoNights) {
  EXPECT_FALSE(find_creep(nights_of({3.9}), rule(1)));
  EXPECT_TRUE(find_creep(nights_of({3.9, 3.9}), rule(1)));
}

TEST(Cusum, TakesTheErrorOfTheReferenceForWhatItIs) {
  // All nights are 2 above a reference that is known to within 1. Of n of them the mean differs by
  // 2 with variance 1 / n + 1: p is 1 at most, and the sum sqrt(p) 2 sqrt(p) - p 1 at most.
  const std::vector<double> same(200, 2);
  EXPECT_FALSE(find_creep(nights_of(same, 1), rule(1.01)));
  EXPECT_TRUE(find_creep(nights_of(same, 1), rule(0.99)));
  EXPECT_TRUE(find_creep(nights_of(same), rule(100))) << "an exact reference leaves no excuse";
}

TEST(Cusum, ComparesWithTheNightsBeforeAsWellAsWithTheReference) {
  // Behind hundreds of nights the level is known, however badly the reference is.
  EXPECT_TRUE(find_creep(nights_of(after_quiet_nights(400, {3, 3, 3}), 1), rule(5)));
  EXPECT_FALSE(find_creep(nights_of({3, 3, 3}, 1), rule(5)));
}

TEST(Cusum, FindsWhatGrowsALittleEachNight) {
  std::vector<double> creeping;
  for (int i = 0; i < 60; ++i) {
    creeping.push_back(0.1 * i + (i % 2 == 0 ? 1 : -1));
  }
  const auto found = find_creep(nights_of(creeping, 0.5), rule(5));
  ASSERT_TRUE(found);
  EXPECT_GT(found->found, 10U);
  EXPECT_NEAR(found->change.log, 5.7, 0.3) << "the newest five nights";
}

TEST(Cusum, StaysQuietWhereNothingChanges) {
  EXPECT_FALSE(find_creep(nights_of(after_quiet_nights(400, {}), 0.5), rule(3)));
  EXPECT_FALSE(find_creep({}, rule(3)));
}

TEST(Cusum, DoesNotMindWhatGetsFaster) {
  EXPECT_FALSE(find_creep(nights_of({-3, -3, -3, -3, -3}), rule(3)));
}

TEST(Cusum, IgnoresWhatStaysWithinTheTolerance) {
  EXPECT_FALSE(find_creep(nights_of({2, 2, 2, 2, 2, 2}), rule(3, 2.01)));
  EXPECT_TRUE(find_creep(nights_of({2, 2, 2, 2, 2, 2}), rule(3, 1.99)));
}

TEST(Cusum, CountsAnOutlierAsFarAwayAsOneMayBe) {
  // One night, of 4 at most: 3. The next ones take 1 each away again.
  const auto once = after_quiet_nights(100, {50, 0, 0, 0, 0});
  EXPECT_FALSE(find_creep(nights_of(once), rule(4.5)));
  EXPECT_TRUE(find_creep(nights_of(after_quiet_nights(100, {50, 50})), rule(4.5)));
}

TEST(Cusum, LearnsFromItsNightsThatTheyAreNoisierThanSessions) {
  // Three times as noisy as the baseline says, which does not know it well.
  std::vector<double> noisy;
  for (int i = 0; i < 100; ++i) {
    noisy.push_back(i % 2 == 0 ? 3 : -3);
  }
  auto then = noisy;
  then.insert(then.end(), {3, 2, 3});
  EXPECT_FALSE(find_creep(nights_of(then, 0.5, 4), rule(4)));
  EXPECT_TRUE(find_creep(nights_of(then, 0.5, kKnown), rule(4))) << "were it sure of its noise";
}

TEST(Cusum, AsksMoreWhereTheNoiseIsHardlyKnown) {
  EXPECT_TRUE(find_creep(nights_of({3, 3, 3}, 0.1), rule(5)));
  EXPECT_FALSE(find_creep(nights_of({3, 3, 3}, 0.1, 2), rule(5)));
}

TEST(Cusum, KeepsWhatItFoundUntilTheSeriesIsBack) {
  auto changes = after_quiet_nights(50, {3, 3, 3, 3, 3});
  ASSERT_TRUE(find_creep(nights_of(changes, 0.5), rule(4.5)));
  changes.insert(changes.end(), 30, 3);
  const auto later = find_creep(nights_of(changes, 0.5), rule(4.5));
  ASSERT_TRUE(later);
  EXPECT_EQ(later->since, 50U);
  EXPECT_LT(later->found, 55U);
  changes.insert(changes.end(), {0});
  EXPECT_TRUE(find_creep(nights_of(changes, 0.5), rule(4.5))) << "one night is no proof";
  changes.insert(changes.end(), {0, 0, 0});
  EXPECT_FALSE(find_creep(nights_of(changes, 0.5), rule(4.5)));
  changes.insert(changes.end(), {3, 3, 3, 3});
  EXPECT_TRUE(find_creep(nights_of(changes, 0.5), rule(4.5))) << "and again";
}

TEST(CusumLimit, IsSiegmundsApproximation) {
  // (exp(2 b) - 2 b - 1) / 2 nights for an allowance of 1, b = limit + 1.166.
  const double b = cusum_limit(1.0 / 40000, 1) + 1.166;
  EXPECT_NEAR((std::exp(2 * b) - 2 * b - 1) / 2, 40000, 1);
  EXPECT_GT(cusum_limit(1.0 / 100000, 1), cusum_limit(1.0 / 40000, 1));
}

}  // namespace
}  // namespace perfgate
