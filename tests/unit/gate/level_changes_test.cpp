#include "perfgate/gate/level_changes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace perfgate {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Levels of so many values each, with a noise of 1 that alternates and never repeats itself.
std::vector<double> levels(const std::vector<std::pair<int, double>>& wanted) {
  std::mt19937 random(7);
  std::normal_distribution<double> noise;
  std::vector<double> out;
  for (const auto& [count, level] : wanted) {
    for (int i = 0; i < count; ++i) {
      out.push_back(level + noise(random));
    }
  }
  return out;
}

TEST(LevelChanges, AreWhereALevelBegins) {
  EXPECT_THAT(level_changes(levels({{20, 0}, {20, 8}}), 0.001), ElementsAre(20));
  EXPECT_THAT(level_changes(levels({{20, 0}, {15, 9}, {25, -4}}), 0.001), ElementsAre(20, 35));
}

TEST(LevelChanges, AreNoneInNoiseAndInFewValues) {
  EXPECT_THAT(level_changes(levels({{100, 0}}), 0.001), IsEmpty());
  EXPECT_THAT(level_changes(levels({{2, 0}, {3, 50}}), 0.001), IsEmpty());
  EXPECT_THAT(level_changes({}, 0.001), IsEmpty());
  EXPECT_THAT(level_changes(std::vector<double>(20, 1.0), 0.001), IsEmpty());
}

TEST(LevelChanges, AreNoneWhereSingleValuesAreFarOut) {
  auto values = levels({{20, 0}});
  values.back() = 200;
  values[7] = -90;
  EXPECT_THAT(level_changes(values, 0.001), IsEmpty());
}

// How many of so many series of 30 nights are found to change, which step by so many standard
// deviations in their twentieth.
int found(int series, double step, double alpha) {
  std::mt19937 random(11);
  std::normal_distribution<double> noise;
  int out = 0;
  for (int i = 0; i < series; ++i) {
    std::vector<double> values(30);
    for (std::size_t night = 0; night < values.size(); ++night) {
      values[night] = noise(random) + (night >= 20 ? step : 0);
    }
    out += level_changes(values, alpha).empty() ? 0 : 1;
  }
  return out;
}

TEST(LevelChanges, AreFoundByChanceAboutAsOftenAsAllowed) {
  EXPECT_LE(found(5000, 0, 0.001), 10) << "two in a thousand";
  EXPECT_LE(found(1000, 0, 0.05), 60);
}

TEST(LevelChanges, AreFoundTenNightsBehindAStepOfThreeStandardDeviations) {
  EXPECT_GE(found(200, 3, 0.001), 150);
}

TEST(LevelChanges, BeginWithTheNightOfALargeStep) {
  for (const double step : {10.0, -30.0, 1000.0}) {
    EXPECT_THAT(level_changes(levels({{14, 0}, {8, step}, {9, 0}}), 0.001), ElementsAre(14, 22));
  }
}

}  // namespace
}  // namespace perfgate
