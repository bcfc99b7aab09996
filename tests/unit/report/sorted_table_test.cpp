#include "perfgate/report/sorted_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fixtures/outcomes.h"

namespace perfgate {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

Outcome changed(const std::string& key, double by) {
  Outcome out = testing_support::judged(Verdict::kPass, key);
  out.judgements[0].change = by;
  return out;
}

TEST(TableByChange, HasTheSlowestFirstAndNothingThatWasNotJudged) {
  perfgate::Run run;
  run.outcomes = {changed("a/faster", -0.1), changed("a/slower", 0.02),
                  testing_support::unjudged(Verdict::kUnsupported, "no bf16"),
                  changed("a/slowest", 0.3)};
  const std::string text = table_by_change(run, false, 0);
  EXPECT_THAT(text,
              ContainsRegex("# +case.*\n +1/3 +a/slowest .*\n +2/3 +a/slower .*\n +3/3 +a/faster"));
  EXPECT_THAT(text, Not(HasSubstr("UNSUPPORTED")));
}

TEST(TableByChange, IsEmptyWhereNothingWasJudged) { EXPECT_EQ(table_by_change({}, false, 0), ""); }

}  // namespace
}  // namespace perfgate
