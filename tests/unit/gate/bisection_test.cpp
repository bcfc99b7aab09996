// What a bisection measures next, and whether its answers are as right as it says.

#include "perfgate/gate/bisection.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace perfgate {
namespace {

using Kind = BisectionStep::Kind;

BisectionRule rule() {
  BisectionRule out;
  out.prior.several = 0.05;
  out.prior.tolerance = 0.02;
  out.prior.noise = {1e-4, 10};
  out.confidence = 0.99;
  out.build_cost_pairs = 300;
  out.most_pairs = 1000;
  return out;
}

// Builds whose values vary by `sd` from process to process, in logs.
class Builds {
 public:
  Builds(std::vector<double> levels, double sd, unsigned seed)
      : levels_(std::move(levels)), sd_(sd), random_(seed) {}

  std::vector<double> pairs(std::size_t before, std::size_t now, int count) {
    std::normal_distribution<double> noise(0, sd_ * std::sqrt(2.0));
    std::vector<double> out;
    for (int i = 0; i < count; ++i) {
      out.push_back(levels_[now] - levels_[before] + noise(random_));
    }
    return out;
  }
  [[nodiscard]] std::size_t size() const { return levels_.size(); }

 private:
  std::vector<double> levels_;
  double sd_;
  std::mt19937 random_;
};

std::vector<double> slower_from(std::size_t first, std::size_t builds, double change) {
  std::vector<double> out(builds, 0);
  std::fill(out.begin() + static_cast<std::ptrdiff_t>(first), out.end(), change);
  return out;
}

BisectionStep bisect(Bisection& bisection, Builds& builds,
                     const std::vector<std::size_t>& cannot_be_made = {}) {
  bisection.add(0, builds.size() - 1, builds.pairs(0, builds.size() - 1, 8));
  auto step = bisection.next();
  for (; step.kind == Kind::kMeasure; step = bisection.next()) {
    bool skipped = false;
    for (const std::size_t build : {step.before, step.now}) {
      if (std::count(cannot_be_made.begin(), cannot_be_made.end(), build) > 0) {
        bisection.skip(build);
        skipped = true;
      }
    }
    if (!skipped) {
      bisection.add(step.before, step.now, builds.pairs(step.before, step.now, kPairsOfAStep));
    }
  }
  return step;
}

TEST(Bisection, FindsEachPlaceAndMakesNoMoreBuildsThanHalvingWould) {
  for (std::size_t first = 1; first < 64; first += 2) {
    Bisection bisection(64, rule());
    Builds builds(slower_from(first, 64, 0.10), 0.003, 7);
    const auto end = bisect(bisection, builds);
    const auto posterior = bisection.posterior();
    EXPECT_EQ(end.kind, Kind::kFound) << first;
    EXPECT_EQ(posterior.gaps[posterior.best()].last, first);
    EXPECT_LE(bisection.made().size(), 8) << first;
  }
}

// Fifty of noise as large as the change: three standard errors of a binomial below 99 %.
TEST(Bisection, IsAsSureAsItSays) {
  constexpr int kRuns = 50;
  int right = 0;
  for (unsigned run = 0; run < kRuns; ++run) {
    const std::size_t first = 1 + run * 37 % 63;
    Bisection bisection(64, rule());
    Builds builds(slower_from(first, 64, 0.03), 0.02, run);
    const auto end = bisect(bisection, builds);
    const auto posterior = bisection.posterior();
    right += end.kind != Kind::kFound || posterior.gaps[posterior.best()].last == first ? 1 : 0;
  }
  EXPECT_GE(right, kRuns - 2);
}

TEST(Bisection, EndsWithNoneWhereTheFirstDifferenceWasLuck) {
  Bisection bisection(64, rule());
  bisection.add(0, 63, std::vector<double>{0.03, 0.02, 0.025, 0.02});
  auto step = bisection.next();
  Builds equal(std::vector<double>(64, 0.0), 0.01, 3);
  for (; step.kind == Kind::kMeasure; step = bisection.next()) {
    bisection.add(step.before, step.now, equal.pairs(step.before, step.now, kPairsOfAStep));
  }
  EXPECT_EQ(step.kind, Kind::kNone);
}

TEST(Bisection, MeasuresWhatIsMadeBeforeItMakesMore) {
  Bisection bisection(64, rule());
  Builds builds(slower_from(20, 64, 0.03), 0.01, 5);
  bisection.add(0, 63, builds.pairs(0, 63, 16));
  bisection.add(0, 32, std::vector<double>{0.02, 0.0});  // neither fast nor slow
  const auto step = bisection.next();
  ASSERT_EQ(step.kind, Kind::kMeasure);
  for (const std::size_t build : {step.before, step.now}) {
    EXPECT_TRUE(build == 0 || build == 32 || build == 63) << build;
  }
}

TEST(Bisection, PassesOverWhatCannotBeMade) {
  Bisection bisection(16, rule());
  Builds builds(slower_from(5, 16, 0.10), 0.003, 5);
  const auto end = bisect(bisection, builds, {7, 8, 9});
  const auto posterior = bisection.posterior();
  EXPECT_EQ(end.kind, Kind::kFound);
  EXPECT_EQ(posterior.gaps[posterior.best()].last, 5);
}

TEST(Bisection, SaysBetweenWhichBuildsItIsWhereTheRestCannotBeMade) {
  Bisection bisection(16, rule());
  Builds builds(slower_from(8, 16, 0.10), 0.003, 5);
  const auto end = bisect(bisection, builds, {7, 8, 9});
  EXPECT_EQ(end.kind, Kind::kUndecided);
  EXPECT_TRUE(end.exhausted);
  EXPECT_EQ(end.before, 6);
  EXPECT_EQ(end.now, 10);
}

TEST(Bisection, EndsAtTheLimit) {
  auto few = rule();
  few.most_pairs = 20;
  Bisection bisection(64, few);
  Builds builds(slower_from(20, 64, 0.03), 0.05, 5);
  EXPECT_EQ(bisect(bisection, builds).kind, Kind::kUndecided);
  EXPECT_LE(bisection.pairs(), 20);
}

TEST(Bisection, SaysThatTwoBuildsAreSlow) {
  auto levels = slower_from(20, 64, 0.05);
  for (std::size_t build = 50; build < 64; ++build) {
    levels[build] += 0.05;
  }
  Bisection bisection(64, rule());
  Builds builds(levels, 0.005, 9);
  const auto end = bisect(bisection, builds);
  const auto posterior = bisection.posterior();
  EXPECT_EQ(end.kind, Kind::kFound);
  EXPECT_EQ(posterior.gaps[posterior.best()].last, 20);
  EXPECT_GT(posterior.another[posterior.best()], 0.99);
}

// Two states, even odds, ten standard errors apart: a bit. None apart: nothing.
TEST(Information, IsABitOfACertainAnswerBetweenTwo) {
  const std::vector<WeighedLevels> states = {{0.5, 0, 0.10, {0, 1, 1}}, {0.5, 1, 0.10, {0, 0, 1}}};
  EXPECT_NEAR(information_bits(states, 2, 0, 1, 1e-4, 1), 1, 1e-4);
  EXPECT_NEAR(information_bits(states, 2, 0, 2, 1e-4, 1), 0, 1e-9);
}

// Means a standard error apart: 0.1607 bits (numerical integration of the mixture's entropy).
TEST(Information, OfAnUncertainAnswerIsLess) {
  const std::vector<WeighedLevels> states = {{0.5, 0, 0.01, {0, 1, 1}}, {0.5, 1, 0.01, {0, 0, 1}}};
  EXPECT_NEAR(information_bits(states, 2, 0, 1, 1e-4, 1), 0.1607, 2e-3);
}

}  // namespace
}  // namespace perfgate
