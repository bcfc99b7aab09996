#include "perfgate/gate/verdict.h"

#include <gtest/gtest.h>

namespace perfgate {
namespace {

TEST(Verdict, OfTwoFindingsKeepsTheOneThatMoreHasToBeDoneAbout) {
  EXPECT_EQ(worse(Verdict::kSuspect, Verdict::kImproved), Verdict::kSuspect);
  EXPECT_EQ(worse(Verdict::kSuspect, Verdict::kRegressed), Verdict::kRegressed);
  EXPECT_EQ(worse(Verdict::kPass, Verdict::kSuspect), Verdict::kSuspect);
}

}  // namespace
}  // namespace perfgate
