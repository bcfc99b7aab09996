#include "perfgate/report/run.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "fixtures/outcomes.h"

#include "perfgate/report/exit_code.h"

namespace perfgate {
namespace {

using testing_support::unjudged;

std::vector<Outcome> outcomes_of(const std::vector<Verdict>& verdicts) {
  std::vector<Outcome> out;
  for (const Verdict verdict : verdicts) {
    out.push_back(unjudged(verdict, ""));
  }
  return out;
}

struct Night {
  std::vector<Verdict> verdicts;
  ExitCode exit_code;
};

using V = Verdict;

ExitCode code_of(const std::vector<Outcome>& outcomes, bool baseline_required) {
  perfgate::Run run;
  run.outcomes = outcomes;
  return exit_code_of(run, {baseline_required, 0.2});
}

TEST(ExitCodeOf, FailsWhereAllCasesAreSlowerTogether) {
  perfgate::Run run;
  run.outcomes = outcomes_of({V::kPass});
  run.global = {testing_support::global_change(V::kPass)};
  EXPECT_EQ(exit_code_of(run, {false, 0.2}), ExitCode::kOk);
  run.global.push_back(testing_support::global_change());
  EXPECT_EQ(exit_code_of(run, {false, 0.2}), ExitCode::kFail);
}

TEST(ExitCodeOf, IsNoPassWhereOnlyAGroupThatCouldNotFailWasJudged) {
  perfgate::Run run;
  run.outcomes = {unjudged(V::kNoBaseline, "")};
  run.global = {testing_support::global_change(V::kBlind)};
  EXPECT_EQ(exit_code_of(run, {false, 0.2}), ExitCode::kSkipped);
  run.global = {testing_support::global_change(V::kPass)};
  EXPECT_EQ(exit_code_of(run, {false, 0.2}), ExitCode::kOk);
}

TEST(ExitCodeOf, IsRefusedWhereSomethingThatWasSelectedDidNotRun) {
  perfgate::Run run;
  run.not_run = {"a/1"};
  EXPECT_EQ(exit_code_of(run, {}), ExitCode::kSkipped) << "nothing was judged";
  run.outcomes = outcomes_of({V::kPass});
  EXPECT_EQ(exit_code_of(run, {}), ExitCode::kRefused);
  run.outcomes = outcomes_of({V::kRegressed});
  EXPECT_EQ(exit_code_of(run, {}), ExitCode::kFail);
}

TEST(ExitCodeOf, IsTheStrongestInAnyOrder) {
  const std::vector<Night> nights = {{{}, ExitCode::kSkipped},
                                     {{V::kUnsupported}, ExitCode::kSkipped},
                                     {{V::kPass}, ExitCode::kOk},
                                     {{V::kPass, V::kUnsupported}, ExitCode::kOk},
                                     {{V::kImproved}, ExitCode::kOk},
                                     {{V::kPass, V::kRegressed}, ExitCode::kFail},
                                     {{V::kPass, V::kWrong}, ExitCode::kFail},
                                     {{V::kPass, V::kLost}, ExitCode::kFail},
                                     {{V::kPass, V::kError}, ExitCode::kFail},
                                     {{V::kPass, V::kMachineInvalid}, ExitCode::kRefused},
                                     {{V::kUnsupported, V::kMachineInvalid}, ExitCode::kRefused},
                                     {{V::kMachineInvalid, V::kRegressed}, ExitCode::kFail}};
  for (const auto& night : nights) {
    auto outcomes = outcomes_of(night.verdicts);
    EXPECT_EQ(code_of(outcomes, false), night.exit_code) << testing::PrintToString(night.verdicts);
    std::reverse(outcomes.begin(), outcomes.end());
    EXPECT_EQ(code_of(outcomes, false), night.exit_code) << testing::PrintToString(night.verdicts);
  }
}

TEST(ExitCodeOf, FailsWithoutABaselineOnlyWhereOneIsRequired) {
  const auto outcomes = outcomes_of({V::kPass, V::kNoBaseline});
  EXPECT_EQ(code_of(outcomes, false), ExitCode::kOk);
  EXPECT_EQ(code_of(outcomes, true), ExitCode::kFail);
  EXPECT_EQ(code_of(outcomes_of({V::kPass}), true), ExitCode::kOk);
}

TEST(ExitCodeOf, IsRefusedWhenARefreshRefusedACase) {
  auto outcomes = outcomes_of({V::kPass, V::kWrong});
  outcomes[0].recorded = Recorded::kSession;
  EXPECT_EQ(code_of(outcomes, false), ExitCode::kFail);
  outcomes[1].recorded = Recorded::kRefused;
  EXPECT_EQ(code_of(outcomes, false), ExitCode::kRefused);
}

TEST(ExitCodeOf, IsOkWhateverARefreshAccepted) {
  auto outcomes = outcomes_of({V::kRegressed, V::kNoBaseline, V::kImproved});
  outcomes[0].recorded = Recorded::kRevision;
  outcomes[1].recorded = Recorded::kFirst;
  outcomes[2].recorded = Recorded::kRevision;
  EXPECT_EQ(code_of(outcomes, true), ExitCode::kOk);
}

TEST(ExitCodeOf, IsRefusedWhereTooManyCasesWouldHaveSeenNothing) {
  auto outcomes = outcomes_of({V::kPass, V::kPass, V::kPass, V::kPass, V::kBlind});
  EXPECT_EQ(code_of(outcomes, false), ExitCode::kOk);  // 20 %
  outcomes.push_back(unjudged(V::kBlind, ""));
  EXPECT_EQ(code_of(outcomes, false), ExitCode::kRefused);
  for (auto& outcome : outcomes) {
    outcome.learning = true;  // a local baseline of few sessions says so, and does not fail for it
  }
  EXPECT_EQ(code_of(outcomes, false), ExitCode::kOk);
  EXPECT_EQ(code_of(outcomes_of({V::kBlind}), false), ExitCode::kRefused);
}

TEST(ExitCodeOf, SaysThatNothingWasJudged) {
  EXPECT_EQ(code_of(outcomes_of({V::kNoBaseline, V::kUnsupported}), false), ExitCode::kSkipped);
}

TEST(ExitCodeOf, FailsACaseThatNothingJudgedForTooLong) {
  auto outcomes = outcomes_of({V::kPass, V::kMachineInvalid});
  EXPECT_EQ(code_of(outcomes, false), ExitCode::kRefused);
  outcomes[1].overdue = true;
  EXPECT_EQ(code_of(outcomes, false), ExitCode::kFail);
  perfgate::Run run;
  run.outcomes = outcomes;
  EXPECT_EQ(failures_of(run, false).size(), 1u);
}

TEST(ExitCodeOf, IsRefusedWhereTheEnvironmentSelected) {
  perfgate::Run run;
  run.outcomes = outcomes_of({V::kPass});
  run.partial = true;
  EXPECT_EQ(exit_code_of(run, {}), ExitCode::kFail);  // interrupted
  run.info.selection = "PERFGATE_CASE=ops/gemv/*";
  EXPECT_EQ(exit_code_of(run, {}), ExitCode::kRefused);
  run.outcomes = outcomes_of({V::kRegressed});
  EXPECT_EQ(exit_code_of(run, {}), ExitCode::kFail);
}

TEST(FailuresOf, NamesTheWorstFirst) {
  perfgate::Run run;
  run.outcomes = outcomes_of({V::kRegressed, V::kPass, V::kRegressed, V::kWrong, V::kRegressed});
  for (const auto& [index, change] : {std::pair{0, 0.03}, {2, 1.0}, {4, 5.0}}) {
    run.outcomes[index].judgements.resize(1);
    run.outcomes[index].judgements[0].verdict = V::kRegressed;
    run.outcomes[index].judgements[0].change = change;
  }
  run.outcomes[4].recorded = Recorded::kRevision;  // accepted: nothing to explain
  const auto failures = failures_of(run, false);
  ASSERT_EQ(failures.size(), 3U);
  EXPECT_EQ(failures[0], &run.outcomes[3]);
  EXPECT_EQ(failures[1], &run.outcomes[2]);
  EXPECT_EQ(failures[2], &run.outcomes[0]);
}

TEST(Count, CountsOneVerdict) {
  const auto outcomes = outcomes_of({V::kPass, V::kLost, V::kPass});
  EXPECT_EQ(count(outcomes, V::kPass), 2);
  EXPECT_EQ(count(outcomes, V::kLost), 1);
  EXPECT_EQ(count(outcomes, V::kError), 0);
}

}  // namespace
}  // namespace perfgate
