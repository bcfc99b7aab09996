#include "perfgate/stats/change_points.h"

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

TEST(ChangePoints, AreWhereALevelBegins) {
  EXPECT_THAT(change_points(levels({{20, 0}, {20, 8}}), 0.001), ElementsAre(20));
  EXPECT_THAT(change_points(levels({{20, 0}, {15, 9}, {25, -4}}), 0.001), ElementsAre(20, 35));
}

TEST(ChangePoints, AreNoneInNoiseAndInFewValues) {
  EXPECT_THAT(change_points(levels({{100, 0}}), 0.001), IsEmpty());
  EXPECT_THAT(change_points(levels({{2, 0}, {3, 50}}), 0.001), IsEmpty());
  EXPECT_THAT(change_points({}, 0.001), IsEmpty());
  EXPECT_THAT(change_points(std::vector<double>(20, 1.0), 0.001), IsEmpty());
}

TEST(ChangePoints, AreNoneWhereSingleValuesAreFarOut) {
  auto values = levels({{20, 0}});
  values.back() = 200;
  values[7] = -90;
  EXPECT_THAT(change_points(values, 0.001), IsEmpty());
}

TEST(ChangePoints, AreFoundByChanceAboutAsOftenAsAllowed) {
  std::mt19937 random(11);
  std::normal_distribution<double> noise;
  int found = 0;
  for (int series = 0; series < 2000; ++series) {
    std::vector<double> values(30);
    for (auto& value : values) {
      value = noise(random);
    }
    found += change_points(values, 0.05).empty() ? 0 : 1;
  }
  EXPECT_LT(found, 100) << "5 % of 2000";
}

}  // namespace
}  // namespace perfgate
