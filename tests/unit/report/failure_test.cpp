#include "perfgate/report/failure.h"

#include <gmock/gmock.h>

#include "fixtures/outcomes.h"

namespace perfgate {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;
using testing_support::baseline;
using testing_support::judged;
using testing_support::kKey;
using testing_support::lines_of;
using testing_support::run_info;
using testing_support::unjudged;
using testing_support::wrong;

// A regression of the ratio to a control, on a CPU.
Outcome judged_by_utilisation(double now, double before) {
  Outcome out = judged();
  out.judgements[0].metric = kUtilisation;
  out.judgements[0].now = now;
  out.judgements[0].before = before;
  for (auto& report : out.reports) {
    report.metrics[kUtilisation] = {now, true, "cpu/memory"};
  }
  return out;
}

std::string regression() {
  const Baseline recorded = baseline();
  return failure_text(judged(), run_info(), &recorded);
}

TEST(FailureText, SaysHowMuchSlowerAndWhatItCouldSee) {
  EXPECT_THAT(lines_of(regression()).front(), testing::StrEq(std::string("REGRESSED  ") + kKey));
  EXPECT_THAT(regression(), AllOf(HasSubstr("slower by    2.6 % +- 0.3 %"),
                                  HasSubstr("time 81.0 us, was 78.9 us"),
                                  HasSubstr("tolerance 2.0 %, MDE 2.3 %")));
}

TEST(FailureText, SaysThatMemoryGrewAndNotThatItIsSlower) {
  Outcome outcome = judged();
  Judgement& judgement = outcome.judgements.at(0);
  judgement.metric = kPeakMemory;
  judgement.change = 0.052;
  judgement.now = 6.1e9;
  judgement.before = 5.8e9;
  for (auto& report : outcome.reports) {
    report.metrics[kPeakMemory] = {6.1e9, true, "cuda/peak_memory"};
  }
  const Baseline recorded = baseline();
  const auto text = failure_text(outcome, run_info(), &recorded);
  EXPECT_THAT(text, HasSubstr("more by      5.2 % +- "));
  EXPECT_THAT(text, HasSubstr("peak_memory 6.10 GB, was 5.80 GB"));
  EXPECT_THAT(text, Not(HasSubstr("slower by")));
}

TEST(FailureText, SaysWithWhatSignificanceAndFromWhichMeasurements) {
  EXPECT_THAT(regression(),
              AllOf(HasSubstr("p = 3e-09, budget 6e-04 a metric"),
                    HasSubstr("5 fresh processes: 81.0  81.1  80.9  81.0  81.2 us\n")));
}

TEST(FailureText, SaysWhereAChangeIsLargerThanAnyNoise) {
  Outcome outcome = judged();
  EXPECT_THAT(failure_text(outcome, run_info(), nullptr), Not(HasSubstr("never as large")));
  outcome.judgements[0].p_value = 0.02;
  EXPECT_THAT(failure_text(outcome, run_info(), nullptr),
              HasSubstr("a metric, but noise is never as large on such a machine; 5 fresh"));
  outcome.verdict = outcome.judgements[0].verdict = Verdict::kUnsteady;
  EXPECT_THAT(failure_text(outcome, run_info(), nullptr), Not(HasSubstr("never as large")));
}

TEST(FailureText, SaysAgainstWhatAndWhatChanged) {
  EXPECT_THAT(regression(), HasSubstr("2026-11-20, 5 sessions on this device, LibTorch 2.11.0"));
  EXPECT_THAT(regression(), HasSubstr("changed      LibTorch 2.11.0 -> 2.12.0; "
                                      "driver 580.159.04 -> 585.10.01; commit old -> new\n"));
  EXPECT_THAT(regression(), Not(HasSubstr("GCC")));  // the same on both sides
}

TEST(FailureText, SaysWhenTheCaseWasTunedAnew) {
  Baseline recorded = baseline();
  recorded.cases.at(kKey).revisions.back().tuning = {{"algorithm", "12"}};
  auto outcome = judged();
  outcome.reports.front().tuning = {{"algorithm", "37"}};
  EXPECT_THAT(failure_text(outcome, run_info(), &recorded),
              HasSubstr("tuning       algorithm 12 -> 37\n"));
  EXPECT_THAT(regression(), Not(HasSubstr("tuning")));
}

TEST(FailureText, SaysWhenNothingThatIsRecordedChanged) {
  const Baseline recorded = baseline();
  RunInfo info = run_info();
  info.session = recorded.sessions.begin()->second;
  EXPECT_THAT(failure_text(judged(), info, &recorded),
              HasSubstr("changed      nothing recorded that can matter to it"));
}

TEST(FailureText, NamesTheDevicesWhenThisOneIsUnknown) {
  const Baseline recorded = baseline();
  Outcome outcome = judged();
  outcome.judgements[0].known_device = false;
  outcome.judgements[0].devices = 3;
  EXPECT_THAT(failure_text(outcome, run_info(), &recorded),
              HasSubstr("5 sessions on 3 other devices"));
}

TEST(FailureText, SaysWhatTheDeviceDoesToOtherCases) {
  const Baseline recorded = baseline();
  Outcome outcome = judged();
  outcome.judgements[0].known_device = false;
  outcome.judgements[0].devices = 3;
  outcome.judgements[0].effect = {0.008, 1e-8, 23};
  EXPECT_THAT(failure_text(outcome, run_info(), &recorded),
              HasSubstr("5 sessions on 3 other devices, 0.8 % slower expected here as of 23 other "
                        "cases, LibTorch"));
}

TEST(FailureText, ShowsEachProcessOfAnUnsteadyCase) {
  auto outcome = judged(Verdict::kUnsteady);
  outcome.judgements[0].spread = 0.6;
  outcome.judgements[0].spread_limit = 0.05;
  const auto recorded = baseline();
  const std::string text = failure_text(outcome, run_info(), &recorded);
  EXPECT_THAT(text, HasSubstr("unsteady     5 processes lie 60.0 % apart, the baseline's 5.0 % at "
                              "most\n"));
  EXPECT_THAT(text, HasSubstr("5 fresh processes: 81.0  81.1  80.9  81.0  81.2 us\n"));
  EXPECT_THAT(text, Not(HasSubstr("accept")));
}

TEST(FailureText, SaysTheMedianWhereTheBestProcessIsJudged) {
  auto outcome = judged();
  const auto recorded = baseline();
  EXPECT_THAT(failure_text(outcome, run_info(), &recorded), Not(HasSubstr("statistic")));
  outcome.judgements[0].median = 82.5;
  EXPECT_THAT(failure_text(outcome, run_info(), &recorded),
              HasSubstr("statistic    the best process is judged; their median is 82.5 us\n"));
}

TEST(FailureText, ShowsTheTimesWhereAReasonDecides) {
  auto outcome = judged(Verdict::kRegressed);
  const auto recorded = baseline();
  EXPECT_THAT(failure_text(outcome, run_info(), &recorded), Not(HasSubstr("times ")));
  outcome.message = "it can no longer be queued before it runs";
  EXPECT_THAT(failure_text(outcome, run_info(), &recorded), Not(HasSubstr("times ")));
  outcome.judgements[0].metric = kBusyTime;  // judged by another
  for (auto& report : outcome.reports) {
    report.metrics[kBusyTime] = report.metrics.at(kTime);
  }
  EXPECT_THAT(failure_text(outcome, run_info(), &recorded),
              HasSubstr("times        time 81.0 us, was 78.9 us\n"));
}

TEST(FailureText, SaysWhatTheControlDidWhereTheRatioToItIsJudged) {
  Outcome outcome = judged_by_utilisation(0.7, 0.8);
  const Baseline recorded = baseline();
  // 78.9 us then and 81.0 us now: 0.8 * 78.9 / (0.7 * 81.0).
  EXPECT_THAT(failure_text(outcome, run_info(), &recorded),
              HasSubstr("control      time 81.0 us, was 78.9 us; the control beside it is 11.3 % "
                        "faster than when it was recorded\n"));
  outcome.judgements[0].now = 0.9;
  EXPECT_THAT(failure_text(outcome, run_info(), &recorded),
              HasSubstr("the control beside it is 13.4 % slower than"));
  outcome.judgements[0].metric = kTime;
  EXPECT_THAT(failure_text(outcome, run_info(), &recorded), Not(HasSubstr("control ")));
}

TEST(FailureText, SaysFasterOfAnImprovement) {
  Outcome outcome = judged(Verdict::kImproved);
  outcome.judgements[0].change = -0.026;
  const std::string text = failure_text(outcome, run_info(), nullptr);
  EXPECT_THAT(text, AllOf(HasSubstr("faster by    2.6 %"), HasSubstr("--refresh")));
  EXPECT_THAT(text, Not(HasSubstr("slower")));
}

TEST(FailureText, TellsTheTimeWhereAnotherMetricWasJudged) {
  const Outcome outcome = judged_by_utilisation(0.5, 0.55);
  EXPECT_THAT(failure_text(outcome, run_info(), nullptr),
              AllOf(HasSubstr("utilisation 50.0 % (81.0 us), was 55.0 %"),
                    HasSubstr("5 fresh processes: 50.0  50.0  50.0  50.0  50.0 %\n")));
}

TEST(FailureText, SaysAtWhichClockCyclesAreCompared) {
  Outcome outcome = judged();
  auto& cycles = outcome.judgements[0];
  cycles.metric = kCycles;
  cycles.now = 11.7e6;
  cycles.before = 11.34e6;
  cycles.clock_mhz = {1517, 1590};
  for (auto& report : outcome.reports) {
    report.metrics[kCycles] = {11.6e6, true, "cuda/cycles"};
    report.metrics[kNetTime] = {8000, true, "cuda/compute/long"};
  }
  const std::string text = failure_text(outcome, run_info(), nullptr);
  EXPECT_THAT(text,
              AllOf(HasSubstr("sm_cycles 11.7 Mcycles, was 11.3 Mcycles at 1590 MHz   tolerance"),
                    HasSubstr(": 11.6  11.6  11.6  11.6  11.6 Mcycles\n")));
}

TEST(FailureText, TellsTheClockFromTheKernel) {
  Outcome outcome = judged();
  auto time = testing_support::judgement(Verdict::kRegressed);
  time.metric = kNetTime;
  time.now = 7467;
  time.before = 7131;
  time.change = 0.047;
  auto cycles = testing_support::judgement(Verdict::kPass);
  cycles.metric = kCycles;
  cycles.clock_mhz = {1517, 1590};
  cycles.change = -0.001;
  outcome.judgements = {time, cycles};
  for (auto& report : outcome.reports) {
    report.metrics[kNetTime] = {7467, true, "cuda/compute/long"};
    report.metrics[kCycles] = {11.34e6, true, "cuda/cycles"};
  }
  outcome.reports[0].metrics[kCycles].value = 11.3e6;
  outcome.reports.resize(3);
  EXPECT_THAT(failure_text(outcome, run_info(), nullptr),
              HasSubstr("clock        net_time +4.7 %, cycles at one clock -0.1 %: "
                        "1513  1519  1519 MHz instead of 1590\n"));
  outcome.judgements.pop_back();
  EXPECT_THAT(failure_text(outcome, run_info(), nullptr), Not(HasSubstr("clock")));
}

TEST(FailureText, ShowsTheWorstElementOfAWrongNumber) {
  const std::string text = failure_text(wrong(), run_info(), nullptr);
  EXPECT_THAT(text, HasSubstr("reason       3 of 64 elements differ"));
  EXPECT_THAT(text,
              HasSubstr("worst        [3, 17] is 2.5, expected 1.5; off by 1, allowed 0.001"));
  EXPECT_THAT(text, HasSubstr("largest absolute 1, largest relative 0.667; 3 of 64 elements"));
  EXPECT_THAT(text, Not(HasSubstr("slower by")));
}

TEST(FailureText, TellsAnInjectedSlowdownFromAnHonestOne) {
  Outcome outcome = judged();
  EXPECT_THAT(failure_text(outcome, run_info(), nullptr), Not(HasSubstr("injected")));
  outcome.reports[0].phases[Phase::kWhole].injected_percent = 3.14;
  EXPECT_THAT(failure_text(outcome, run_info(), nullptr),
              HasSubstr("injected     3.1 % of extra work, on purpose"));
  outcome.reports[1].phases[Phase::kWhole].injected_percent = 0.24;
  EXPECT_THAT(failure_text(outcome, run_info(), nullptr),
              HasSubstr("injected     0.2 to 3.1 % of extra work, on purpose"));
}

TEST(FailureText, TellsOfEachPhaseThatFailedAndOfNoOther) {
  Outcome outcome = judged();
  outcome.judgements = {testing_support::judgement(), testing_support::judgement(),
                        testing_support::judgement(Verdict::kPass)};
  outcome.judgements[0].metric = kTime.in(Phase::kForward);
  outcome.judgements[1].metric = kTime.in(Phase::kBackward);
  outcome.judgements[1].change = 2;
  outcome.judgements[1].mde = 0.1;  // so that forward decides
  outcome.judgements[2].metric = kTime.in(Phase::kDecode);
  const std::string text = failure_text(outcome, run_info(), nullptr);
  EXPECT_THAT(text, HasSubstr("slower by    2.6 % +- 0.3 %   forward.time"));
  EXPECT_THAT(text, HasSubstr("slower by    200 % +- 0.3 %   backward.time"));
  EXPECT_THAT(text, Not(HasSubstr("decode")));
}

TEST(FailureTexts, SayOnceWhatManyCasesFailedFor) {
  std::vector<Outcome> outcomes = {judged()};
  for (int i = 0; i < 9; ++i) {
    outcomes.push_back(unjudged(Verdict::kError, i == 4 ? "another" : "no CUPTI",
                                "ops/mm/N" + std::to_string(i) + "/eager"));
  }
  std::vector<const Outcome*> failures;
  for (const auto& outcome : outcomes) {
    failures.push_back(&outcome);
  }
  const auto texts = failure_texts(failures, run_info(), nullptr);
  ASSERT_EQ(texts.size(), 3U);
  EXPECT_EQ(texts[0], failure_text(outcomes[0], run_info(), nullptr));
  EXPECT_THAT(texts[1], testing::StartsWith(failure_text(outcomes[1], run_info(), nullptr)));
  EXPECT_THAT(texts[1], testing::EndsWith("  so did       ops/mm/N1/eager\n"
                                          "               ops/mm/N2/eager\n"
                                          "               ops/mm/N3/eager\n"
                                          "               ops/mm/N5/eager\n"
                                          "               ops/mm/N6/eager\n"
                                          "               and 2 more\n"));
  EXPECT_EQ(texts[2], failure_text(outcomes[5], run_info(), nullptr));
}

TEST(FailureTexts, KeepApartWhatHasMoreToShowThanItsReason) {
  Outcome disturbed = judged(Verdict::kMachineInvalid);
  disturbed.message = "another tenant";
  const std::vector<Outcome> outcomes = {disturbed,
                                         disturbed,
                                         wrong(),
                                         wrong(),
                                         unjudged(Verdict::kNoBaseline, "no baseline"),
                                         unjudged(Verdict::kNoBaseline, "no baseline")};
  std::vector<const Outcome*> failures;
  for (const auto& outcome : outcomes) {
    failures.push_back(&outcome);
  }
  EXPECT_EQ(failure_texts(failures, run_info(), nullptr).size(), outcomes.size());
}

TEST(FailureText, StaysUnderTwentyLines) {
  const Baseline recorded = baseline();
  Outcome outcome = judged();  // as much as can come together
  outcome.message = "a reason";
  outcome.reports[0].phases[Phase::kWhole].injected_percent = 3.0;
  outcome.reports.push_back(wrong().reports[0]);
  const auto lines = lines_of(failure_text(outcome, run_info(), &recorded));
  EXPECT_LT(lines.size(), 20u);
  EXPECT_GE(lines.size(), 10u);
}

TEST(FailureText, SurvivesABaselineThatNoLongerHoldsTheCase) {
  const Baseline recorded;  // --merge reads the file as it is by then
  EXPECT_THAT(failure_text(judged(), run_info(), &recorded), HasSubstr("slower by"));
}

}  // namespace
}  // namespace perfgate
