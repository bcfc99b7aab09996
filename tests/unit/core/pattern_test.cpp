#include "perfgate/core/pattern.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

namespace perfgate {
namespace {

using testing::ElementsAre;
using testing::Optional;

TEST(Pattern, GivesTheTextAndItsGroupsWhereAllOfItMatches) {
  const Pattern size("([0-9]+)x([0-9]+)(/nested)?");
  EXPECT_THAT(size.match("64x512"), Optional(ElementsAre("64x512", "64", "512", "")));
  EXPECT_THAT(size.match("1x2/nested"), Optional(ElementsAre("1x2/nested", "1", "2", "/nested")));
  EXPECT_EQ(size.match("64x512 "), std::nullopt);
}

TEST(Pattern, ReplacesEveryMatch) {
  EXPECT_EQ(Pattern("[0-9]+").replaced("a12b3", "#"), "a#b#");
  EXPECT_EQ(Pattern("[0-9]+").replaced("", "#"), "");
}

TEST(Pattern, SurvivesALongText) {
  const Pattern word("(a|b)*");
  EXPECT_TRUE(word.match(std::string(Pattern::kLongest, 'a')).has_value());
  EXPECT_EQ(word.match(std::string(1'000'000, 'a')), std::nullopt);
  EXPECT_EQ(Pattern("b").replaced(std::string(1'000'000, 'a'), ""), std::string(1'000'000, 'a'));
}

}  // namespace
}  // namespace perfgate
