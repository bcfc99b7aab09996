// A big night in formats that have a limit: what failed comes first, and nothing is cut in its
// middle.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <pugixml.hpp>
#include <string>

#include "fixtures/outcomes.h"
#include "perfgate/report/export.h"

namespace perfgate {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing_support::judged;
using testing_support::lines_of;
using testing_support::run_of;

Run big_night(int failing, int passing) {
  std::vector<Outcome> outcomes;
  for (int i = 0; i < passing; ++i) {
    outcomes.push_back(judged(Verdict::kPass, "ops/passes/" + std::to_string(i)));
  }
  for (int i = 0; i < failing; ++i) {
    outcomes.push_back(judged(Verdict::kRegressed, "ops/fails/" + std::to_string(i)));
  }
  return run_of(outcomes);
}

std::string limited(const Run& run, std::string (*text_of)(const ExportInput&),
                    std::optional<std::size_t> limit) {
  const Baseline recorded = testing_support::baseline();
  return text_of({run, &recorded, false, nullptr, limit});
}

// Fences end, rows are whole, and the fold is closed.
void expect_whole(const std::string& page) {
  bool in_fence = false;
  int folds = 0;
  for (const auto& line : lines_of(page)) {
    in_fence = line.rfind("```", 0) == 0 ? !in_fence : in_fence;
    folds += line.rfind("<details>", 0) == 0 ? 1 : line == "</details>" ? -1 : 0;
    if (!in_fence && line.rfind('|', 0) == 0) {
      EXPECT_EQ(std::count(line.begin(), line.end(), '|'), 8) << line;
    }
  }
  EXPECT_FALSE(in_fence);
  EXPECT_EQ(folds, 0);
}

TEST(MarkdownLimit, IsWhatGithubTakes) {
  const auto page = limited(big_night(1000, 200), markdown_text, std::nullopt);
  EXPECT_LE(page.size(), 65536U);
  EXPECT_GT(page.size(), 60000U) << "of which it makes use";
  EXPECT_THAT(page, HasSubstr("1000 REGRESSED"));
  EXPECT_THAT(page, HasSubstr("more failures in the results"));
  EXPECT_THAT(page, HasSubstr("more in the results"));
  expect_whole(page);
}

TEST(MarkdownLimit, LeavesOutNothingOfANightThatFits) {
  const auto page = limited(big_night(2, 20), markdown_text, std::nullopt);
  EXPECT_THAT(page, Not(HasSubstr("more in the results")));
  EXPECT_THAT(page, HasSubstr("| `ops/passes/19` |"));
}

TEST(MarkdownLimit, HoldsWhateverItIs) {
  const auto run = big_night(30, 100);
  for (std::size_t limit = kLeastLimit; limit < 40000; limit += 97) {
    const auto page = limited(run, markdown_text, limit);
    ASSERT_LE(page.size(), limit);
    EXPECT_THAT(page, HasSubstr("30 REGRESSED"));
    expect_whole(page);
  }
}

TEST(MarkdownLimit, ShowsTheRowsFirstThatDidNotPass) {
  const auto page = limited(big_night(1, 1000), markdown_text, 4000);
  EXPECT_THAT(page, HasSubstr("| `ops/fails/0` |"));
  EXPECT_THAT(page, HasSubstr("| `ops/passes/0` |"));
  EXPECT_THAT(page, Not(HasSubstr("| `ops/passes/999` |")));
}

TEST(JunitLimit, IsNoneUnlessItIsAskedFor) {
  pugi::xml_document document;
  ASSERT_TRUE(
      document.load_string(limited(big_night(1000, 1000), junit_text, std::nullopt).c_str()));
  EXPECT_EQ(document.select_nodes("//testcase").size(), 2000U);
}

TEST(JunitLimit, LeavesOutWhatPassedFirstAndKeepsTheCounts) {
  const auto run = big_night(30, 100);
  for (std::size_t limit = kLeastLimit; limit < 80000; limit += 997) {
    const auto text = limited(run, junit_text, limit);
    ASSERT_LE(text.size(), limit);
    pugi::xml_document document;
    ASSERT_TRUE(document.load_string(text.c_str())) << text;
    const auto failing = document.select_nodes("//testcase[failure]").size();
    const auto all = document.select_nodes("//testcase").size();
    EXPECT_TRUE(failing == 30 || all == failing) << limit;
    if (all < 130) {
      EXPECT_THAT(text, HasSubstr(std::to_string(130 - all) + " more in the results"));
    }
    if (const auto suite = document.select_node("//testsuite[@name='ops']").node()) {
      EXPECT_STREQ(suite.attribute("failures").value(), "30");
    }
  }
}

}  // namespace
}  // namespace perfgate
