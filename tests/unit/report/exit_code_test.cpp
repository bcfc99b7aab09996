// The rules of exit codes, as docs/reference/verdicts.md tells them.

#include "perfgate/report/exit_code.h"

#include <gtest/gtest.h>

#include <utility>

namespace perfgate {
namespace {

TEST(ExitCode, OfAVerdict) {
  struct Row {
    Verdict verdict;
    ExitCode alone;
    ExitCode where_a_baseline_is_required;
  };
  constexpr auto kOk = ExitCode::kOk;
  constexpr auto kFail = ExitCode::kFail;
  constexpr auto kRefused = ExitCode::kRefused;
  constexpr auto kSkipped = ExitCode::kSkipped;
  const Row rows[] = {{Verdict::kPass, kOk, kOk},
                      {Verdict::kSuspect, kOk, kOk},
                      {Verdict::kImproved, kOk, kOk},
                      {Verdict::kRegressed, kFail, kFail},
                      {Verdict::kUnsteady, kFail, kFail},
                      {Verdict::kOtherKernels, kFail, kFail},
                      {Verdict::kWrong, kFail, kFail},
                      {Verdict::kLost, kFail, kFail},
                      {Verdict::kError, kFail, kFail},
                      {Verdict::kMachineInvalid, kRefused, kRefused},
                      {Verdict::kBlind, kSkipped, kSkipped},
                      {Verdict::kUnsupported, kSkipped, kSkipped},
                      {Verdict::kNoBaseline, kSkipped, kFail}};
  static_assert(std::size(rows) == kNames<Verdict>.size());
  for (const auto& row : rows) {
    EXPECT_EQ(exit_code_of(row.verdict, false), row.alone) << name_of(row.verdict);
    EXPECT_EQ(exit_code_of(row.verdict, true), row.where_a_baseline_is_required)
        << name_of(row.verdict);
  }
}

TEST(ExitCode, OfAnOutcomeThatARefreshOrTooManyNightsDecide) {
  Outcome outcome;
  outcome.verdict = Verdict::kRegressed;
  outcome.recorded = Recorded::kRevision;
  EXPECT_EQ(exit_code_of(outcome, false), ExitCode::kOk) << "it was accepted";
  outcome.recorded = Recorded::kRefused;
  EXPECT_EQ(exit_code_of(outcome, false), ExitCode::kRefused);
  outcome.recorded = Recorded::kNot;
  outcome.verdict = Verdict::kMachineInvalid;
  EXPECT_EQ(exit_code_of(outcome, false), ExitCode::kRefused);
  outcome.overdue = true;
  EXPECT_EQ(exit_code_of(outcome, false), ExitCode::kFail);
  outcome.overdue = false;
  outcome.verdict = Verdict::kNoBaseline;
  outcome.other_protocol = true;
  EXPECT_EQ(exit_code_of(outcome, false), ExitCode::kRefused);
  EXPECT_EQ(exit_code_of(outcome, true), ExitCode::kFail);
}

PairedOutcome of_two_builds(Verdict verdict) {
  PairedOutcome out;
  out.verdict = verdict;
  out.judgements.emplace_back();
  return out;
}

TEST(ExitCode, OfTwoBuilds) {
  EXPECT_EQ(exit_code_of(of_two_builds(Verdict::kRegressed)), ExitCode::kFail);
  EXPECT_EQ(exit_code_of(of_two_builds(Verdict::kPass)), ExitCode::kOk);
  EXPECT_EQ(exit_code_of(of_two_builds(Verdict::kNoBaseline)), ExitCode::kSkipped);
  auto incomparable = of_two_builds(Verdict::kError);
  incomparable.incomparable = true;
  EXPECT_EQ(exit_code_of(incomparable), ExitCode::kRefused) << "it failed before as well";
}

TEST(ExitCode, OfAComparisonOfTwoBuilds) {
  const auto pass = of_two_builds(Verdict::kPass);
  const auto blind = of_two_builds(Verdict::kBlind);
  EXPECT_EQ(exit_code_of(std::vector<PairedOutcome>{}, 0.2), ExitCode::kSkipped);
  EXPECT_EQ(exit_code_of({pass}, 0.2), ExitCode::kOk);
  EXPECT_EQ(exit_code_of({pass, of_two_builds(Verdict::kRegressed)}, 0.2), ExitCode::kFail);
  EXPECT_EQ(exit_code_of({blind}, 0.2), ExitCode::kRefused);
  EXPECT_EQ(exit_code_of({pass, pass, pass, pass, blind}, 0.2), ExitCode::kOk) << "a fifth is";
  EXPECT_EQ(exit_code_of({pass, pass, pass, blind}, 0.2), ExitCode::kRefused);
}

TEST(ExitCode, OfASearchForTheFirstSlowBuild) {
  EXPECT_EQ(exit_code_of(BisectionStep::Kind::kFound), ExitCode::kFail);
  EXPECT_EQ(exit_code_of(BisectionStep::Kind::kNone), ExitCode::kOk);
  EXPECT_EQ(exit_code_of(BisectionStep::Kind::kUndecided), ExitCode::kRefused);
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
