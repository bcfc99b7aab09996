// What people read of a comparison of two builds.

#include "perfgate/report/paired_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace perfgate {
namespace {

using testing::HasSubstr;
using testing::Not;

WorkerReport measured(double time_us, const std::string& kernel) {
  WorkerReport out;
  out.status = WorkerStatus::kMeasured;
  out.metrics[kTime] = {time_us, false, "cpu/memory/long"};
  out.metrics[kUtilisation] = {100 / time_us, true, "cpu/memory/long"};
  out.phases[Phase::kWhole].trace = std::vector<KernelRecord>{{kernel, 1, time_us}};
  return out;
}

PairedOutcome outcome_of(Verdict verdict, double change) {
  PairedJudgement judgement;
  judgement.metric = kUtilisation;
  judgement.verdict = verdict;
  judgement.pairs = 4;
  judgement.change = change;
  judgement.lowest = change - 0.01;
  judgement.highest = change + 0.01;
  judgement.mde = 0.03;
  PairedOutcome out;
  out.verdict = verdict;
  out.judgements = {judgement};
  return out;
}

class PairedText : public testing::Test {
 protected:
  PairedText() {
    comparison_.device = {"cpu", "Test CPU", {}};
    comparison_.device_id = "unit-1";
    comparison_.before.program = "/older/perfgate";
    comparison_.now.program = "/newer/perfgate";
    comparison_.before.session.libtorch = "2.12.0";
    comparison_.now.session.libtorch = "2.13.0";
    comparison_.first_pairs = 4;
    comparison_.most_pairs = 16;
    comparison_.false_alarms = 0.01;
  }
  void add(const std::string& key, double before_us, double now_us, const PairedOutcome& outcome,
           const std::string& kernel_now = "dot") {
    reports_.push_back({key, {measured(before_us, "dot")}, {measured(now_us, kernel_now)}});
    outcomes_.push_back(outcome);
  }
  [[nodiscard]] std::string report() const {
    return paired_report(comparison_, reports_, outcomes_, /*colour=*/false);
  }
  [[nodiscard]] std::string sentence() const {
    return paired_sentence(comparison_, reports_, outcomes_);
  }

  Comparison comparison_;
  std::vector<PairedReports> reports_;
  std::vector<PairedOutcome> outcomes_;
};

TEST_F(PairedText, SaysTheWholeInOneSentence) {
  add("a/slow", 100, 110, outcome_of(Verdict::kRegressed, 0.10));
  add("a/slower", 100, 130, outcome_of(Verdict::kRegressed, 0.30));
  add("a/fast", 100, 80, outcome_of(Verdict::kImproved, -0.20));
  add("a/same", 100, 100, outcome_of(Verdict::kPass, 0));
  EXPECT_EQ(sentence(),
            "Compared with LibTorch 2.12.0, LibTorch 2.13.0 is on Test CPU slower in 2 of 4 cases, "
            "faster in 1 and unchanged in 1 (a slowdown of 3.0 % would have been found); the "
            "slowest is a/slower, +30.0 % slower (95 % interval +29.0 % to +31.0 %); the fastest "
            "is a/fast, -20.0 % faster (95 % interval -21.0 % to -19.0 %).");
}

TEST_F(PairedText, DoesNotSpeakOfSpeedWhereACasesOwnMetricChanged) {
  auto outcome = outcome_of(Verdict::kRegressed, 0.10);
  outcome.judgements[0].metric = {Phase::kWhole, Quantity::kOwn,
                                  own_quantity("accepted", Unit::kCount, Better::kHigher)};
  add("a/accepts_less", 100, 100, outcome);
  add("a/slow", 100, 105, outcome_of(Verdict::kRegressed, 0.05));
  EXPECT_EQ(sentence(),
            "Compared with LibTorch 2.12.0, LibTorch 2.13.0 is on Test CPU worse in 2 of 2 cases, "
            "better in 0 and unchanged in 0; the worst is a/accepts_less accepted[1,higher], "
            "+10.0 % worse (95 % interval +9.0 % to +11.0 %).");
}

TEST_F(PairedText, SaysWhatIsJudgedWhereTheRowsShowTimes) {
  const std::string words = "judged    the ratio of each time to that of a control beside it";
  EXPECT_THAT(paired_heading(comparison_, ""), HasSubstr(words));
  comparison_.device.kind = "cuda";
  EXPECT_THAT(paired_heading(comparison_, ""), Not(HasSubstr(words)));
}

TEST_F(PairedText, TellsBuildsOfOneLibTorchApart) {
  comparison_.before.session.libtorch = "2.13.0";
  EXPECT_THAT(sentence(), HasSubstr("Compared with LibTorch 2.13.0 (/older/perfgate), LibTorch "
                                    "2.13.0 (/newer/perfgate) is"));
  comparison_.before.session.commit = "0123456789ab";
  comparison_.now.session.commit = "ba9876543210";
  EXPECT_THAT(sentence(), HasSubstr("Compared with commit 0123456789ab (/older/perfgate), commit "
                                    "ba9876543210 (/newer/perfgate) is"));
  comparison_.before.variables = "A=1";
  EXPECT_THAT(sentence(), HasSubstr("Compared with LibTorch 2.13.0 (A=1), LibTorch 2.13.0 is"));
  comparison_.inject_slowdown = 5;
  EXPECT_THAT(sentence(), HasSubstr("LibTorch 2.13.0 (5 % extra work injected) is"));
}

TEST_F(PairedText, SortsByChangeAndNamesTheKernelsThatDiffer) {
  add("a/slow", 100, 110, outcome_of(Verdict::kRegressed, 0.10));
  add("a/same", 100, 100, outcome_of(Verdict::kPass, 0));
  add("a/slower", 100, 130, outcome_of(Verdict::kRegressed, 0.30), "naive_dot");
  const std::string text = report();
  EXPECT_LT(text.find("a/slower"), text.find("a/slow "));
  EXPECT_THAT(text, HasSubstr("naive_dot"));
  EXPECT_THAT(text, HasSubstr("gone, was"));
  EXPECT_THAT(text, HasSubstr("kernels, by one trace of each build"));
  EXPECT_THAT(text, testing::ContainsRegex("no change found.*MDE.*\n  a/same +.*3.0 %.*PASS"));
}

TEST_F(PairedText, NamesWhatRunsOtherKernelsUnchanged) {
  add("a/same", 100, 100, outcome_of(Verdict::kPass, 0), "other_dot");
  EXPECT_THAT(report(), HasSubstr("other kernels, and no change found\n    a/same\n"));
}

TEST_F(PairedText, SaysWhyCasesWereNotJudgedOncePerReason) {
  PairedOutcome unsupported;
  unsupported.verdict = Verdict::kUnsupported;
  unsupported.message = "no package\nand more";
  for (const char* key : {"a/one", "a/two", "a/three"}) {
    add(key, 100, 100, unsupported);
  }
  EXPECT_THAT(report(), HasSubstr("UNSUPPORTED   a/one and 2 more\n      no package\n"));
  EXPECT_THAT(sentence(), HasSubstr("slower in 0 of 3 cases, faster in 0, not judged in 3"));
}

TEST_F(PairedText, CountsWhatWasKilledForItsLengthAsSlower) {
  PairedOutcome killed;
  killed.verdict = Verdict::kRegressed;
  killed.message = "slower by a factor of 300 at least, or hangs";
  add("a/killed", 100, 100, killed);
  EXPECT_THAT(report(), HasSubstr("REGRESSED   a/killed\n      slower by a factor of 300"));
  EXPECT_THAT(sentence(), HasSubstr("slower in 1 of 1 case, faster in 0 and unchanged in 0."));
  add("a/fast", 100, 80, outcome_of(Verdict::kImproved, -0.20));
  EXPECT_THAT(sentence(), HasSubstr("slower in 1 of 2 cases, faster in 1 and unchanged in 0; "
                                    "the fastest is a/fast"));
}

TEST_F(PairedText, TellsEveryFailureAndSomeOfWhatCannotRun) {
  for (const Verdict verdict : {Verdict::kUnsupported, Verdict::kError}) {
    for (const char* reason : {"1", "2", "3", "4", "5"}) {
      PairedOutcome outcome;
      outcome.verdict = verdict;
      outcome.message = reason;
      add("a/" + std::string(name_of(verdict)) + reason, 100, 100, outcome);
    }
  }
  EXPECT_THAT(report(), HasSubstr("UNSUPPORTED   2 more, for other reasons\n"));
  EXPECT_THAT(report(), HasSubstr("ERROR   a/ERROR5\n"));
  EXPECT_THAT(report(), Not(HasSubstr("a/UNSUPPORTED4")));
}

TEST_F(PairedText, CallsNewOnlyWhatTheOlderBuildCannotRun) {
  PairedOutcome outcome;
  outcome.verdict = Verdict::kNoBaseline;
  add("a/new", 100, 100, outcome);
  outcome.incomparable = true;
  add("a/other_protocol", 100, 100, outcome);
  EXPECT_THAT(report(), HasSubstr("NEW   a/new\n"));
  EXPECT_THAT(report(), HasSubstr("NOT COMPARED   a/other_protocol\n"));
}

TEST_F(PairedText, ShowsACaseOnceItsRoundIsMeasured) {
  const PairedReports reports{"a/slow", {measured(100, "dot")}, {measured(110, "dot")}};
  EXPECT_THAT(paired_row(reports, 3, 12), HasSubstr("3/12 a/slow"));
  EXPECT_THAT(paired_row(reports, 3, 12), HasSubstr("+10.0 %"));
  WorkerReport wrong;
  wrong.status = WorkerStatus::kWrong;
  EXPECT_THAT(paired_row({"a/slow", {measured(100, "dot")}, {wrong}}, 3, 12), HasSubstr("wrong"));
}

TEST_F(PairedText, HeadsWithWhatDiffers) {
  const std::string text = paired_heading(comparison_, "");
  EXPECT_THAT(text, HasSubstr("before    /older/perfgate   LibTorch 2.12.0\n"));
  EXPECT_THAT(text, HasSubstr("differs   LibTorch 2.12.0 -> 2.13.0\n"));
  EXPECT_THAT(text, HasSubstr("4 to 16 a case"));
  EXPECT_THAT(paired_heading(comparison_, "throttled"), HasSubstr("INVALID: throttled"));
}

}  // namespace
}  // namespace perfgate
