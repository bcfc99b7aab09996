#include "perfgate/report/tuning_changes.h"

#include <gtest/gtest.h>

namespace perfgate {
namespace {

TEST(TuningChanges, NamesWhatDiffersAndNothingElse) {
  const Tuning before = {{"algorithm", "12"}, {"cusparselt", "0.8.0"}, {"split", "1"}};
  EXPECT_EQ(tuning_changes(before, {{"algorithm", "37"}, {"cusparselt", "0.8.1"}, {"split", "1"}}),
            "algorithm 12 -> 37, cusparselt 0.8.0 -> 0.8.1");
  EXPECT_EQ(tuning_changes(before, before), "");
}

TEST(TuningChanges, CallsNoneWhatOneOfThemDoesNotHave) {
  EXPECT_EQ(tuning_changes({}, {{"algorithm", "37"}}), "algorithm none -> 37");
  EXPECT_EQ(tuning_changes({{"algorithm", "37"}}, {}), "algorithm 37 -> none");
}

}  // namespace
}  // namespace perfgate
