#include "perfgate/gate/canary_turns.h"

#include <gmock/gmock.h>

#include <map>
#include <set>
#include <stdexcept>

namespace perfgate {
namespace {

constexpr std::int64_t kDay = 20'784;  // 2026-11-27

bool anybody(const CanaryTurn&) { return true; }

std::vector<std::string> keys(int count) {
  std::vector<std::string> out;
  for (int i = 0; i < count; ++i) {
    out.push_back("demo/case" + std::to_string(100 + i));
  }
  return out;
}

std::vector<std::string> names(const std::vector<CanaryTurn>& turns) {
  std::vector<std::string> out;
  for (const auto& turn : turns) {
    out.push_back(turn.case_key);
  }
  return out;
}

TEST(CanaryTurns, CountDaysOfATimeInUtc) {
  EXPECT_EQ(day_of("1970-01-02T00:00:00Z"), 1);
  EXPECT_EQ(day_of("2026-11-27T23:59:59Z"), kDay);
  EXPECT_EQ(day_of("2026-11-28T00:00:00Z"), kDay + 1);
  EXPECT_THROW(day_of("yesterday"), std::invalid_argument);
  EXPECT_THROW(day_of("2026-13-27T00:00:00Z"), std::invalid_argument);
}

TEST(CanaryTurns, ComeToEachCaseOnceInOneOverShareDays) {
  for (const int cases : {5, 60, 117}) {
    std::multiset<std::string> seen;
    for (std::int64_t day = kDay; day < kDay + 25; ++day) {
      for (const auto& key : names(turns_of(day, keys(cases), 0.04, anybody))) {
        seen.insert(key);
      }
    }
    for (const auto& key : keys(cases)) {
      EXPECT_EQ(seen.count(key), 1U) << key << " of " << cases;
    }
  }
}

TEST(CanaryTurns, AreAsManyEachDayAsTheShareOfTheCases) {
  for (std::int64_t day = kDay; day < kDay + 7; ++day) {
    EXPECT_EQ(turns_of(day, keys(100), 0.04, anybody).size(), 4U);
    EXPECT_LE(turns_of(day, keys(5), 0.04, anybody).size(), 1U);
    EXPECT_EQ(turns_of(day, keys(5), 1, anybody).size(), 5U);
    EXPECT_TRUE(turns_of(day, keys(5), 0, anybody).empty());
    EXPECT_TRUE(turns_of(day, {}, 1, anybody).empty());
  }
}

TEST(CanaryTurns, InjectAndRepeatByTurns) {
  for (const int cases : {4, 5}) {  // a round of an odd number of cases must not end in its parity
    std::map<std::string, std::vector<bool>> of_case;
    int injected = 0;
    for (std::int64_t day = kDay; day < kDay + 4; ++day) {
      for (const auto& turn : turns_of(day, keys(cases), 1, anybody)) {
        of_case[turn.case_key].push_back(turn.injected);
        injected += turn.injected ? 1 : 0;
      }
    }
    EXPECT_EQ(injected, 2 * cases);
    for (const auto& [key, turns] : of_case) {
      EXPECT_NE(turns[0], turns[1]) << key;
      EXPECT_NE(turns[1], turns[2]) << key;
    }
  }
}

TEST(CanaryTurns, PassOverACaseThatCannotBeOneForTheNextThatCan) {
  const auto usual = names(turns_of(kDay, keys(100), 0.02, anybody));
  const auto others = names(turns_of(
      kDay, keys(100), 0.02, [&](const CanaryTurn& turn) { return turn.case_key != usual[0]; }));
  ASSERT_EQ(others.size(), usual.size());
  EXPECT_THAT(others, testing::Not(testing::Contains(usual[0])));
  EXPECT_EQ(others[0], usual[1]);
  EXPECT_NE(others[1], usual[1]);
}

TEST(CanaryTurns, AreNoneWhereNoCaseCanBe) {
  EXPECT_TRUE(turns_of(kDay, keys(9), 1, [](const CanaryTurn&) { return false; }).empty());
}

TEST(CanaryTurns, DoNotDependOnTheOrderInWhichCasesRan) {
  auto shuffled = keys(50);
  std::swap(shuffled[0], shuffled[49]);
  shuffled.push_back(shuffled[7]);  // --gtest_repeat
  EXPECT_EQ(names(turns_of(kDay, shuffled, 0.1, anybody)),
            names(turns_of(kDay, keys(50), 0.1, anybody)));
}

}  // namespace
}  // namespace perfgate
