#include "perfgate/gate/verdict.h"

#include <gtest/gtest.h>

namespace perfgate {
namespace {

TEST(Verdict, FailsTheBuildForWhatIsWrongSlowLostOrBroken) {
  for (const Verdict verdict : {Verdict::kRegressed, Verdict::kUnsteady, Verdict::kWrong,
                                Verdict::kLost, Verdict::kError}) {
    EXPECT_EQ(exit_code_of(verdict, false), ExitCode::kFail) << name_of(verdict);
  }
  EXPECT_EQ(exit_code_of(Verdict::kPass, true), ExitCode::kOk);
  EXPECT_EQ(exit_code_of(Verdict::kImproved, true), ExitCode::kOk);
  EXPECT_EQ(exit_code_of(Verdict::kSuspect, true), ExitCode::kOk);
}

TEST(Verdict, OfTwoFindingsKeepsTheOneThatMoreHasToBeDoneAbout) {
  EXPECT_EQ(worse(Verdict::kSuspect, Verdict::kImproved), Verdict::kSuspect);
  EXPECT_EQ(worse(Verdict::kSuspect, Verdict::kRegressed), Verdict::kRegressed);
  EXPECT_EQ(worse(Verdict::kPass, Verdict::kSuspect), Verdict::kSuspect);
}

TEST(Verdict, FailsForAMissingBaselineOnlyWhenOneIsRequired) {
  EXPECT_EQ(exit_code_of(Verdict::kNoBaseline, false), ExitCode::kSkipped);
  EXPECT_EQ(exit_code_of(Verdict::kNoBaseline, true), ExitCode::kFail);
}

TEST(Verdict, TellsAnUnfitMachineFromARegression) {
  EXPECT_EQ(exit_code_of(Verdict::kMachineInvalid, true), ExitCode::kRefused);
}

TEST(Verdict, TakesWhatSaysNothingForNeitherAPassNorAFailure) {
  for (const Verdict verdict : {Verdict::kBlind, Verdict::kUnsupported}) {
    EXPECT_EQ(exit_code_of(verdict, true), ExitCode::kSkipped) << name_of(verdict);
  }
}

TEST(ExitCode, TheStrongerWinsWhicheverComesFirst) {
  EXPECT_EQ(stronger(ExitCode::kRefused, ExitCode::kFail), ExitCode::kFail);
  EXPECT_EQ(stronger(ExitCode::kFail, ExitCode::kRefused), ExitCode::kFail);
  EXPECT_EQ(stronger(ExitCode::kUsage, ExitCode::kFail), ExitCode::kUsage);
  EXPECT_EQ(stronger(ExitCode::kSkipped, ExitCode::kOk), ExitCode::kOk);
  EXPECT_EQ(stronger(ExitCode::kSkipped, ExitCode::kSkipped), ExitCode::kSkipped);
  EXPECT_EQ(stronger(ExitCode::kRefused, ExitCode::kOk), ExitCode::kRefused);
}

}  // namespace
}  // namespace perfgate
