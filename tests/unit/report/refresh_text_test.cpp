#include "perfgate/report/refresh_text.h"

#include <gmock/gmock.h>

#include "fixtures/outcomes.h"

namespace perfgate {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;
using testing_support::judged;
using testing_support::run_of;
using testing_support::unjudged;

Outcome recorded(Outcome outcome, Recorded how) {
  outcome.recorded = how;
  return outcome;
}

const Outcome kChanged = recorded(judged(Verdict::kRegressed), Recorded::kRevision);
const Outcome kUnchanged = recorded(judged(Verdict::kPass, "a/unchanged"), Recorded::kSession);
const Outcome kFirst =
    recorded(unjudged(Verdict::kNoBaseline, "no baseline", "a/first"), Recorded::kFirst);
const Outcome kRefused = recorded(unjudged(Verdict::kWrong, "", "a/wrong"), Recorded::kRefused);

TEST(RefreshText, ShowsOldAndNewOfWhatChangedAndCountsTheRest) {
  const std::string text = refresh_text(run_of({kChanged, kUnchanged, kFirst}), "LibTorch 2.12");
  EXPECT_THAT(text, HasSubstr("refresh of baselines/NVIDIA_H200   reason: LibTorch 2.12\n"));
  EXPECT_THAT(text,
              ContainsRegex("D16384/compiled +78.9 us -> +81.0 us +.2.6 % slower +new revision"));
  EXPECT_THAT(text, HasSubstr("1 recorded for the first time, 1 unchanged (session added), "
                              "1 changed (new revision), 0 refused"));
  EXPECT_THAT(text, HasSubstr("  wrote baselines/NVIDIA_H200\n"));
  EXPECT_THAT(text, Not(HasSubstr("a/unchanged")));
  EXPECT_THAT(text, Not(HasSubstr("exit 3")));
}

TEST(RefreshText, NamesWhatItRefusedAndItsExitCode) {
  const std::string text = refresh_text(run_of({kUnchanged, kRefused}), "");
  EXPECT_THAT(text, ContainsRegex("a/wrong +WRONG: not recorded"));
  EXPECT_THAT(text, ContainsRegex("wrote baselines/NVIDIA_H200 +1 refused: exit 3"));
  EXPECT_THAT(text, Not(HasSubstr("reason:")));
}

TEST(RefreshText, SaysThatTheFileIsUntouchedWhenNothingWasRecorded) {
  EXPECT_THAT(refresh_text(run_of({kRefused}), ""),
              HasSubstr("did not touch baselines/NVIDIA_H200"));
}

TEST(RefreshText, SaysWhichFileItWroteAlsoWhenItWasCutShort) {
  auto run = run_of({kUnchanged});
  run.partial = true;
  EXPECT_THAT(refresh_text(run, ""), HasSubstr("  wrote baselines/NVIDIA_H200"));
}

TEST(RefreshText, ComparesNothingWhereTheProtocolIsAnother) {
  const Outcome other =
      recorded(unjudged(Verdict::kNoBaseline, "another protocol"), Recorded::kRevision);
  const std::string text = refresh_text(run_of({other}), "");
  EXPECT_THAT(text, HasSubstr("new revision: another protocol"));
  EXPECT_THAT(text, Not(HasSubstr("->")));
}

}  // namespace
}  // namespace perfgate
