#include "perfgate/report/summary.h"

#include <gmock/gmock.h>

#include "fixtures/outcomes.h"

namespace perfgate {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing_support::judged;
using testing_support::run_of;
using testing_support::unjudged;
using testing_support::widest;

TEST(Summary, SaysWhenEachMdeIsAboveADoubling) {
  auto blind = judged(Verdict::kPass);
  blind.judgements[0].mde = 31;
  auto doubling = judged(Verdict::kPass, "a/b");
  doubling.judgements[0].mde = 1;
  EXPECT_THAT(summary_text(run_of({blind, blind}), "", false),
              HasSubstr("MDE       above 100 % in each of 2 judged cases\n"));
  EXPECT_THAT(summary_text(run_of({doubling, doubling}), "", false),
              HasSubstr("all within 100 %\n"));
}

TEST(Summary, CountsCasesWhoseMdeIsAboveADoubling) {
  auto blind = judged(Verdict::kPass, "a/b");
  blind.judgements[0].mde = 31;
  const std::string text = summary_text(
      run_of({judged(Verdict::kPass), judged(Verdict::kPass, "a/c"), blind}), "", false);
  EXPECT_THAT(text, HasSubstr("MDE       half of 3 judged cases within 2.3 %, 2 within 2.3 %, "
                              "1 above 100 %\n"));
}

TEST(Summary, SaysNoFigureOfAnMdeAboveADoubling) {
  auto blind = judged(Verdict::kPass, "a/b");
  blind.judgements[0].mde = 2.8;
  EXPECT_THAT(summary_text(run_of({blind}), "", false), HasSubstr("MDE       > 100 %\n"));
  EXPECT_THAT(summary_text(run_of({judged(Verdict::kPass), blind, blind}), "", false),
              HasSubstr("MDE       1 of 3 judged cases within 2.3 %, 2 above 100 %\n"));
}

TEST(Summary, CountsVerdictsAndSaysTheMde) {
  auto loud = judged(Verdict::kPass, "a/b");
  loud.judgements[0].mde = 0.05;
  const auto outcomes = std::vector<Outcome>{judged(Verdict::kPass), judged(Verdict::kPass, "a/c"),
                                             loud, unjudged(Verdict::kUnsupported, "")};
  const std::string text = summary_text(run_of(outcomes), "build/results", false);
  EXPECT_THAT(text, HasSubstr("3 PASS   0 REGRESSED   1 UNSUPPORTED   judged 3 of 4 cases   6.2 "
                              "s\n  MDE       half of 3 judged cases within 2.3 %, all within "
                              "5.0 %\n"));
  EXPECT_THAT(text, EndsWith("  results   build/results\n"));
  EXPECT_THAT(text, Not(HasSubstr("PARTIAL")));
  EXPECT_LE(widest(text), 120u);
}

TEST(Summary, NamesWhatIsBlindAndWhatIsStillLearning) {
  auto blind = judged(Verdict::kBlind, "a/blind");
  auto learning = judged(Verdict::kBlind, "a/learning");
  learning.learning = true;
  const std::string text =
      summary_text(run_of({judged(Verdict::kPass), blind, learning}), "", false);
  EXPECT_THAT(text, HasSubstr("1 PASS   0 REGRESSED   2 BLIND   "));
  EXPECT_THAT(text, HasSubstr("  BLIND     an MDE larger than the policy allows: a/blind\n"));
  EXPECT_THAT(text, HasSubstr("  learning  of this local baseline, which has few sessions "
                              "yet, 1 case with an MDE larger"));
  EXPECT_LE(widest(text), 120u);
}

TEST(Summary, SaysHowMoreIsSeenOfWhatIsBlind) {
  EXPECT_THAT(summary_text(run_of({judged(Verdict::kBlind, "a/blind")}), "", false),
              AllOf(HasSubstr("            build/cuda/bin/perfgate --refresh --case=a/blind\n"),
                    HasSubstr("            build/cuda/bin/perfgate --against=OTHER "
                              "--case=a/blind\n")));
  EXPECT_THAT(summary_text(run_of({judged(Verdict::kPass)}), "", false),
              Not(HasSubstr("--refresh")));
}

TEST(Summary, SaysHowWhatHasAnotherProtocolIsRecordedAnew) {
  auto other = unjudged(Verdict::kNoBaseline, "recorded under another protocol");
  other.other_protocol = true;
  const std::string text = summary_text(run_of({other}), "", false);
  EXPECT_THAT(text, HasSubstr("  unjudged  recorded under another protocol: " + other.case_key));
  EXPECT_THAT(text, HasSubstr("perfgate --refresh --accept='*:why' --case=" + other.case_key));
  other.recorded = Recorded::kRefused;
  EXPECT_THAT(summary_text(run_of({other}), "", false), Not(HasSubstr("unjudged")))
      << "the refusal says it";
}

TEST(Summary, NamesWhatAnUnknownDeviceLeavesOpenAndWhatSettlesIt) {
  const std::string text =
      summary_text(run_of({judged(Verdict::kPass), judged(Verdict::kSuspect, "a/b")}), "", false);
  EXPECT_THAT(text, HasSubstr("1 PASS   0 REGRESSED   1 SUSPECT   "));
  EXPECT_THAT(text, HasSubstr("  SUSPECT   slower than chance explains"));
  EXPECT_THAT(text, HasSubstr("one: a/b +2.6 % (p = 3e-09)"));
  EXPECT_THAT(text,
              HasSubstr("perfgate --against=OTHER --case=a/b\n            or record a session"));
  EXPECT_THAT(summary_text(run_of({judged(Verdict::kPass)}), "", false), Not(HasSubstr("SUSPECT")));
  EXPECT_LE(widest(text), 120u);
}

TEST(Summary, NamesWhatAllCasesShowTogetherAndWhatElseWasDifferent) {
  auto run = run_of({judged(Verdict::kPass)});
  run.global = {testing_support::global_change(), testing_support::global_change(Verdict::kPass)};
  run.moved = "driver 580.159.04 -> 590.1";
  const std::string text = summary_text(run, "", false);
  EXPECT_THAT(text, HasSubstr("  GLOBAL    gpt_fast, cuda/memory/long, time: +1.9 % slower in the "
                              "median of 23 cases (MDE 0.7 %, p = 2e-12)\n            beside it: "
                              "driver 580.159.04 -> 590.1\n"));
  EXPECT_EQ(text.find("GLOBAL"), text.rfind("GLOBAL")) << "what passed is not named";
  EXPECT_LE(widest(text), 120u);
}

TEST(Summary, SaysHowWhatImprovedIsRecorded) {
  const std::string text = summary_text(run_of({judged(Verdict::kImproved, "a/b")}), "", false);
  EXPECT_THAT(text, HasSubstr("  improved  build/cuda/bin/perfgate --refresh --reason=\"why\" "
                              "--case=a/b\n            records what improved; until then later "
                              "nights are compared with it\n"));
}

TEST(Summary, RecordsWhatImprovedWhereItIsRecorded) {
  auto run = run_of({judged(Verdict::kImproved)});
  run.info.local_baseline = true;
  run.info.baseline_path = "build/local baselines/Test_GPU";
  EXPECT_THAT(summary_text(run, "", false),
              HasSubstr("build/cuda/bin/perfgate '--baselines=build/local baselines' --refresh "));
}

TEST(Summary, CountsWhatARefreshRecordedApartFromVerdicts) {
  auto added = judged(Verdict::kPass, "a/b");
  added.recorded = Recorded::kSession;
  auto refused = unjudged(Verdict::kError, "signal 11");
  refused.recorded = Recorded::kRefused;
  EXPECT_THAT(summary_text(run_of({added, refused}), "", false), HasSubstr("1 recorded   1 ERROR"));
}

TEST(Summary, WarnsOfAnInterruptedRunAndNamesNoFileWithoutOne) {
  auto run = run_of({judged()});
  run.partial = true;
  const std::string text = summary_text(run, "", true);
  EXPECT_THAT(text, HasSubstr("PARTIAL   interrupted"));
  EXPECT_THAT(text, HasSubstr("0 PASS   1 \033[1;31mREGRESSED\033[0m   "));
  EXPECT_THAT(text, Not(HasSubstr("results")));
}

}  // namespace
}  // namespace perfgate
