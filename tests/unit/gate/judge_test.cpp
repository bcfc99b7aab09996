#include "perfgate/gate/judge.h"

#include <gtest/gtest.h>

#include "fixtures/history_fixture.h"

namespace perfgate {
namespace {

using testing_support::baseline_of;
using testing_support::kKey;
using testing_support::policy_with;

// Three cases of one judged metric each.
Baseline three_cases() {
  Baseline out = baseline_of({{"A", {100}}});
  out.cases["demo/other/D1/eager"] = out.cases.at(kKey);
  out.cases["demo/third/D1/eager"] = out.cases.at(kKey);
  return out;
}

double alpha_of(const std::set<std::string>& night) {
  const Policy policy = policy_with({1e-4, 4}, {1e-4, 4});
  return Judge(three_cases(), policy, night).alpha();
}

TEST(Judge, SharesTheBudgetAmongWhatANightJudges) {
  EXPECT_DOUBLE_EQ(alpha_of({}), 0.01 / 3);
  EXPECT_DOUBLE_EQ(alpha_of({kKey, "demo/other/D1/eager", "demo/new/D1/eager"}), 0.01 / 2);
  EXPECT_DOUBLE_EQ(alpha_of({"demo/new/D1/eager"}), 0.01) << "nothing of it is recorded";
}

TEST(Judge, CountsOnlyWhatIsJudged) {
  const Policy policy = policy_with({1e-4, 4}, {1e-4, 4});
  Baseline baseline = three_cases();
  baseline.cases.at(kKey).metrics[kGap] = {false, {}, "cuda/memory/long"};
  EXPECT_DOUBLE_EQ(Judge(baseline, policy).alpha(), 0.01 / 3);
}

}  // namespace
}  // namespace perfgate
