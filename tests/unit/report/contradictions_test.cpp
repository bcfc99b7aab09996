// What a results file says that cannot be true together, and that what a run writes always can.

#include "perfgate/report/contradictions.h"

#include <gmock/gmock.h>

#include <functional>

#include "fixtures/outcomes.h"

namespace perfgate {
namespace {

using testing::HasSubstr;
using testing_support::judged;
using testing_support::judgement;
using testing_support::run_of;
using testing_support::unjudged;

std::string contradiction(const Run& run) { return contradiction_in(run).value_or("none"); }

TEST(Contradictions, HasNoneOfWhatARunWrites) {
  Outcome invalid = judged(Verdict::kMachineInvalid);
  invalid.judgements = {judgement(Verdict::kRegressed)};
  Outcome blind = judged(Verdict::kPass, "a/blind");
  blind.verdict = Verdict::kBlind;
  EXPECT_EQ(contradiction(run_of({judged(), judged(Verdict::kPass, "a/b"), invalid, blind,
                                  unjudged(Verdict::kError, "why", "a/c")})),
            "none");
  perfgate::Run refresh =
      run_of({judged(Verdict::kRegressed), unjudged(Verdict::kNoBaseline, "", "a/new")});
  refresh.info.refresh = true;
  refresh.outcomes[0].recorded = Recorded::kRevision;
  refresh.outcomes[1].recorded = Recorded::kFirst;
  refresh.exit_code = ExitCode::kOk;
  EXPECT_EQ(contradiction(refresh), "none") << "a slower case that somebody accepted";
  perfgate::Run killed = run_of({});
  killed.partial = true;
  killed.exit_code = ExitCode::kFail;
  EXPECT_EQ(contradiction(killed), "none");
  EXPECT_EQ(contradiction(run_of({})), "none");
}

struct Doctored {
  const char* what;
  std::function<void(perfgate::Run&)> change;
  const char* found;
};

class Doctoring : public testing::TestWithParam<Doctored> {};

TEST_P(Doctoring, IsFound) {
  perfgate::Run run = run_of({judged(Verdict::kRegressed)});
  ASSERT_EQ(contradiction(run), "none");
  GetParam().change(run);
  EXPECT_THAT(contradiction(run), HasSubstr(GetParam().found)) << GetParam().what;
}

INSTANTIATE_TEST_SUITE_P(
    Contradictions, Doctoring,
    testing::Values(
        Doctored{"a verdict that its judgement denies",
                 [](perfgate::Run& run) {
                   run.outcomes[0].verdict = Verdict::kPass;
                   run.exit_code = ExitCode::kOk;
                 },
                 "it is PASS, and its worst judgement is REGRESSED"},
        Doctored{"a verdict and its judgement, and a change that exceeds its threshold",
                 [](perfgate::Run& run) {
                   run.outcomes[0].verdict = Verdict::kPass;
                   run.outcomes[0].judgements[0].verdict = Verdict::kPass;
                   run.exit_code = ExitCode::kOk;
                 },
                 "its change exceeds its threshold"},
        Doctored{"a change that is called an improvement",
                 [](perfgate::Run& run) {
                   run.outcomes[0].verdict = Verdict::kImproved;
                   run.outcomes[0].judgements[0].verdict = Verdict::kImproved;
                   run.exit_code = ExitCode::kOk;
                 },
                 "its change exceeds its threshold"},
        Doctored{"a pass without a judgement",
                 [](perfgate::Run& run) {
                   run.outcomes[0].verdict = Verdict::kPass;
                   run.outcomes[0].judgements.clear();
                   run.exit_code = ExitCode::kOk;
                 },
                 "nothing of it was judged"},
        Doctored{"a slower case that is only called too noisy",
                 [](perfgate::Run& run) {
                   run.outcomes[0].verdict = Verdict::kBlind;
                   run.exit_code = ExitCode::kSkipped;
                 },
                 "it is BLIND, and its worst judgement is REGRESSED"},
        Doctored{"a regression that a gate is said to have recorded",
                 [](perfgate::Run& run) {
                   run.outcomes[0].recorded = Recorded::kSession;
                   run.exit_code = ExitCode::kOk;
                 },
                 "and the run was none"},
        Doctored{"wrong numbers that a refresh is said to have recorded",
                 [](perfgate::Run& run) {
                   run.info.refresh = true;
                   run.outcomes[0] = testing_support::wrong();
                   run.outcomes[0].recorded = Recorded::kFirst;
                   run.exit_code = ExitCode::kOk;
                 },
                 "it is WRONG, which no refresh records"},
        Doctored{"an exit code that is weaker than what was found",
                 [](perfgate::Run& run) { run.exit_code = ExitCode::kOk; },
                 "its exit code is 0, and what it found is 1 at least"},
        Doctored{"a run without cases that passed",
                 [](perfgate::Run& run) {
                   run.outcomes.clear();
                   run.exit_code = ExitCode::kOk;
                 },
                 "its exit code is 0, and what it found is 77 at least"},
        Doctored{"a run that was ended and passed",
                 [](perfgate::Run& run) {
                   run.outcomes = {judged(Verdict::kPass)};
                   run.partial = true;
                   run.exit_code = ExitCode::kOk;
                 },
                 "its exit code is 0, and what it found is 1 at least"},
        Doctored{"a failure that is called unsupported",
                 [](perfgate::Run& run) {
                   run.outcomes[0].verdict = Verdict::kUnsupported;
                   run.exit_code = ExitCode::kSkipped;
                 },
                 "it is UNSUPPORTED, and its worst judgement is REGRESSED"},
        Doctored{"a failure that has no baseline",
                 [](perfgate::Run& run) {
                   run.outcomes[0].verdict = Verdict::kNoBaseline;
                   run.exit_code = ExitCode::kSkipped;
                 },
                 "it is NO_BASELINE, and its worst judgement is REGRESSED"},
        Doctored{"a change of nothing between two values",
                 [](perfgate::Run& run) {
                   run.outcomes[0].judgements[0].change = 0;
                   run.outcomes[0].judgements[0].now = 200;
                 },
                 "its change cannot be"},
        Doctored{"a negative threshold",
                 [](perfgate::Run& run) { run.outcomes[0].judgements[0].threshold = -50; },
                 "threshold cannot be"},
        Doctored{"a negative MDE",
                 [](perfgate::Run& run) { run.outcomes[0].judgements[0].mde = -1; },
                 "MDE cannot be"},
        Doctored{"a probability below 0",
                 [](perfgate::Run& run) { run.outcomes[0].judgements[0].p_value = -1; },
                 "a probability cannot be"},
        Doctored{"a probability above 1",
                 [](perfgate::Run& run) { run.outcomes[0].judgements[0].alpha = 2; },
                 "a probability cannot be"},
        Doctored{"a metric twice",
                 [](perfgate::Run& run) {
                   run.outcomes[0].judgements.push_back(run.outcomes[0].judgements[0]);
                 },
                 "is judged twice"},
        Doctored{"a pass that no worker measured",
                 [](perfgate::Run& run) {
                   run.outcomes = {judged(Verdict::kPass)};
                   run.outcomes[0].reports.clear();
                   run.exit_code = ExitCode::kOk;
                 },
                 "no worker measured it"},
        Doctored{"a pass whose worker says wrong",
                 [](perfgate::Run& run) {
                   run.outcomes = {judged(Verdict::kPass)};
                   run.outcomes[0].reports[0].status = WorkerStatus::kWrong;
                   run.exit_code = ExitCode::kOk;
                 },
                 "says that it is not measured"},
        Doctored{"a pass with wrong elements",
                 [](perfgate::Run& run) {
                   run.outcomes = {judged(Verdict::kPass)};
                   run.outcomes[0].reports[0].phases[Phase::kWhole].outputs =
                       testing_support::wrong().reports[0].phases[Phase::kWhole].outputs;
                   run.exit_code = ExitCode::kOk;
                 },
                 "3 elements are wrong"},
        Doctored{"a worker of another case",
                 [](perfgate::Run& run) { run.outcomes[0].reports[0].case_key = "a/other"; },
                 "one of its workers measured a/other"},
        Doctored{"a key that names a file elsewhere",
                 [](perfgate::Run& run) { run.outcomes[0].case_key = "../../x"; }, "no case's key"},
        Doctored{"a shard of none", [](perfgate::Run& run) { run.info.shards = 0; },
                 "it is shard 0 of 0"},
        Doctored{"a shard beyond the last", [](perfgate::Run& run) { run.info.shard = 5; },
                 "it is shard 5 of 1"},
        Doctored{"a day that no year has",
                 [](perfgate::Run& run) { run.info.started = "2026-02-30T00:00:00Z"; },
                 "nothing begins then"},
        Doctored{"a negative length", [](perfgate::Run& run) { run.elapsed_s = -5; },
                 "takes so long"}));

}  // namespace
}  // namespace perfgate
