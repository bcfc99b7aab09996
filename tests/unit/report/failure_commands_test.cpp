// What a failure tells people to call.

#include <gmock/gmock.h>

#include "fixtures/outcomes.h"
#include "perfgate/report/failure.h"

namespace perfgate {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing_support::baseline;
using testing_support::judged;
using testing_support::kKey;
using testing_support::run_info;
using testing_support::unjudged;
using testing_support::wrong;

TEST(FailureCommands, LookAgainAndAccept) {
  const std::string key = kKey;
  EXPECT_THAT(
      failure_text(judged(), run_info(), nullptr),
      AllOf(HasSubstr("reproduce    build/cuda/bin/perfgate --case=" + key + "\n"),
            HasSubstr("accept       build/cuda/bin/perfgate --refresh --accept='*:why' --case=" +
                      key + "\n")));
}

TEST(FailureCommands, SelectTheSiblingsThatACaseWasJudgedBeside) {
  Outcome outcome = judged();
  outcome.judgements[0].known_device = false;
  outcome.judgements[0].effect = {0.008, 1e-8, 23};
  EXPECT_THAT(failure_text(outcome, run_info(), nullptr),
              HasSubstr("reproduce    build/cuda/bin/perfgate --family=gpt_fast\n"))
      << "alone it has none";
  auto info = run_info();
  info.command.push_back("--case=*/bf16/*");
  EXPECT_THAT(failure_text(outcome, info, nullptr), HasSubstr("perfgate '--case=*/bf16/*'\n"));
}

TEST(FailureCommands, ReproduceAnInjectedFailureWithItsInjection) {
  RunInfo info = run_info();
  info.command = {"build/cuda/bin/perfgate", "--family=ops", "--inject_slowdown=20"};
  const auto recorded = baseline();
  EXPECT_THAT(failure_text(judged(), info, &recorded),
              HasSubstr("build/cuda/bin/perfgate --inject_slowdown=20 --case="));
}

TEST(FailureCommands, NameTheFolderWhereTheBaselineIsNotTheCheckedInOne) {
  auto info = run_info();
  info.local_baseline = true;
  info.baseline_path = "/tmp/mine/NVIDIA_H200";
  EXPECT_THAT(failure_text(judged(), info, nullptr),
              HasSubstr("perfgate --baselines=/tmp/mine --refresh"));
  EXPECT_THAT(failure_text(judged(), run_info(), nullptr), Not(HasSubstr("--baselines")));
}

TEST(FailureCommands, NeverOfferToAcceptAnInjectedSlowdown) {
  auto injected = judged();
  injected.reports[0].phases[Phase::kWhole].injected_percent = 50;
  EXPECT_THAT(failure_text(injected, run_info(), nullptr), Not(HasSubstr("accept")));
}

TEST(FailureCommands, OfferNoRefreshOfAWrongNumberOrACrash) {
  EXPECT_THAT(failure_text(wrong(), run_info(), nullptr), Not(HasSubstr("--refresh")));
  EXPECT_THAT(failure_text(unjudged(Verdict::kError, "signal 11"), run_info(), nullptr),
              Not(HasSubstr("--refresh")));
}

TEST(FailureCommands, AreNoneForACaseThatIsNoLongerDeclared) {
  const std::string text =
      failure_text(unjudged(Verdict::kLost, "no test declares it"), run_info(), nullptr);
  EXPECT_THAT(text, HasSubstr("reason       no test declares it"));
  EXPECT_THAT(text, Not(HasSubstr("--case")));
}

}  // namespace
}  // namespace perfgate
