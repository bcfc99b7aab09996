#include "perfgate/report/table.h"

#include <gmock/gmock.h>

#include <string_view>

#include "fixtures/outcomes.h"

namespace perfgate {
namespace {

using testing::ContainsRegex;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing_support::baseline;
using testing_support::judged;
using testing_support::kKey;
using testing_support::run_info;
using testing_support::unjudged;
using testing_support::widest;

constexpr std::string_view kEscape = "\033[";

std::string row_of(const Outcome& outcome, bool colour = false) {
  return Table(colour).row(outcome, 9, 16);
}

TEST(TableRow, GoesFromItsNumberToTheVerdict) {
  Outcome outcome = judged();
  outcome.reports[0].metrics[kUtilisation] = {0.72, false, ""};
  // 270000 B / 81.0 us = 3.33 GB/s
  EXPECT_THAT(row_of(outcome),
              ContainsRegex("^ +9/16 +gpt_fast/gemv/int8/D16384/compiled +81.0 us +3.33 GB/s +72 % "
                            "+.2.6 % +2.3 %  REGRESSED\n$"));
}

TEST(TableRow, LeavesColumnsEmptyThatNobodyMeasured) {
  EXPECT_THAT(row_of(unjudged(Verdict::kLost, "")), ContainsRegex("compiled +LOST\n$"));
}

TEST(TableRow, SaysBelowItWhatACaseCameToAndWhy) {
  Outcome outcome = unjudged(Verdict::kLost, "no longer runs");
  EXPECT_THAT(row_of(outcome), HasSubstr("\n        fail: no longer runs\n"));
  outcome.verdict = Verdict::kUnsupported;
  EXPECT_THAT(row_of(outcome), HasSubstr("\n        not judged: no longer runs\n"));
  outcome.verdict = Verdict::kNoBaseline;
  EXPECT_THAT(row_of(outcome), Not(HasSubstr("no longer runs"))) << "the verdict says it all";
  outcome.other_protocol = true;
  EXPECT_THAT(row_of(outcome), HasSubstr("not judged: no longer runs"));
  outcome.other_protocol = false;
  outcome.recorded = Recorded::kRefused;
  EXPECT_THAT(row_of(outcome), HasSubstr("\n        no longer runs\n")) << "of a refresh";
}

TEST(TableRow, FitsIntoAHundredAndTwentyColumnsForEveryVerdictAndTheLongestKey) {
  const std::string key = "gpt_fast/mlp_layer_norm_gelu/bf16/D16384/compiled";
  for (const auto& [verdict, name] : kNames<Verdict>) {
    Outcome outcome = judged(verdict, key);
    outcome.judgements[0].change = -0.123;
    outcome.reports[0].metrics[kUtilisation] = {0.72, false, ""};
    outcome.message = std::string(300, 'm');
    EXPECT_LE(widest(row_of(outcome)), 120u) << row_of(outcome);
  }
}

TEST(TableRow, LeavesOutRateAndUtilisationWhereTheTerminalHasEightyColumns) {
  Table narrow(false, 80);
  const std::string key = "gpt_fast/mlp_layer_norm_gelu/bf16/D16384/compiled";
  Outcome outcome = judged(Verdict::kRegressed, key);
  outcome.reports[0].metrics[kUtilisation] = {0.72, false, ""};
  const std::string row = narrow.row(outcome, 9, 16);
  EXPECT_THAT(row,
              ContainsRegex("^ +9/16 gpt_fast/mlp_lay../D16384/compiled  81.0 us +.2.6 % +2.3 %"
                            "  REGRESSED\n$"));
  EXPECT_LE(widest(row), 80u);
  EXPECT_LE(widest(narrow.column_heads()), 80u);
}

TEST(TableRow, IsColouredOnlyOnDemand) {
  EXPECT_THAT(row_of(judged(), false), Not(HasSubstr(std::string(kEscape))));
  EXPECT_THAT(row_of(judged(), true), HasSubstr("\033[1;31mREGRESSED\033[0m"));
  EXPECT_THAT(row_of(judged(Verdict::kPass), true), HasSubstr("\033[32mPASS\033[0m"));
}

TEST(TableRow, PrintsTheFirstLineOfAReasonOnceForAllCasesThatShareIt) {
  Table table(false);
  const Outcome outcome = unjudged(Verdict::kUnsupported, "no bf16 here\nlong story");
  EXPECT_THAT(table.row(outcome, 1, 3),
              EndsWith("UNSUPPORTED\n        not judged: no bf16 here\n"));
  EXPECT_THAT(table.row(outcome, 2, 3), EndsWith("UNSUPPORTED\n"));
  EXPECT_THAT(table.row(unjudged(Verdict::kUnsupported, "no fp8"), 3, 3), HasSubstr("no fp8\n"));
}

TEST(TableRow, PrintsTheReasonOfEachCaseThatWasMeasured) {
  Table table(false);
  Outcome outcome = judged(Verdict::kBlind);
  outcome.message = "its MDE is 75.0 %";
  EXPECT_THAT(table.row(outcome, 1, 2), EndsWith("its MDE is 75.0 %\n"));
  EXPECT_THAT(table.row(outcome, 2, 2), EndsWith("its MDE is 75.0 %\n"));
}

TEST(TableRow, WrapsALongReasonAndLosesNothingOfIt) {
  const std::string reason = std::string(70, 'a') + " " + std::string(70, 'b') + " the command";
  const std::string text = row_of(unjudged(Verdict::kUnsupported, reason));
  EXPECT_LE(widest(text), 120u);
  EXPECT_THAT(text, HasSubstr("a\n        " + std::string(70, 'b') + " the command\n"));
}

TEST(TableRow, MarksWhatIsLaunchBoundAndWhatIsTheHosts) {
  Outcome outcome = judged(Verdict::kPass);
  for (auto& report : outcome.reports) {
    report.phases[Phase::kWhole].protocol[kQueuedWhole] = false;
  }
  EXPECT_THAT(row_of(outcome), HasSubstr("PASS  launch-bound\n"));
  for (auto& report : outcome.reports) {
    report.metrics[kHostTime] = {350, false, "cuda/launch"};
    report.metrics[kRelativeHostTime] = {70, true, "cuda/host"};
    report.metrics[kNetTime] = {340, true, "cuda/memory/long"};
  }
  EXPECT_THAT(row_of(outcome), HasSubstr("PASS  launch-bound  host 350 us\n"));
  EXPECT_THAT(row_of(outcome), HasSubstr("GB/s"));
  Judgement of_host;
  of_host.metric = kRelativeHostTime;
  of_host.mde = 0.35;
  outcome.judgements.push_back(of_host);
  EXPECT_THAT(row_of(outcome), HasSubstr("PASS  launch-bound  host 350 us, MDE 35.0 %\n"));
  for (auto& report : outcome.reports) {
    report.metrics[kHostTime].judged = true;
    report.metrics[kNetTime].judged = false;
  }
  EXPECT_THAT(row_of(outcome), HasSubstr("PASS  launch-bound  host\n"));
  EXPECT_THAT(row_of(outcome), HasSubstr("350 us"));
  EXPECT_THAT(row_of(outcome), Not(HasSubstr("GB/s")));  // of the device's time, that would be
}

TEST(TableRow, MarksNoiseAndWhatARefreshDid) {
  Outcome outcome = judged(Verdict::kPass);
  EXPECT_THAT(row_of(outcome), Not(HasSubstr("noisy")));
  outcome.reports[2].phases[Phase::kWhole].noisy = true;
  outcome.recorded = Recorded::kSession;
  EXPECT_THAT(row_of(outcome), HasSubstr("  session added  noisy\n"));
  outcome.recorded = Recorded::kRefused;
  EXPECT_THAT(row_of(outcome), HasSubstr("PASS refused"));
}

TEST(TableHeading, SaysWhoMeasuresAgainstWhat) {
  const Baseline recorded = baseline();
  const std::string text =
      Table(false).heading(run_info(), &recorded, {{1, 0.023}, {2, 0.079}, 3}, 0.01);
  EXPECT_THAT(text,
              HasSubstr("NVIDIA H200 (GPU-b398e28c)   driver 585.10.01\n  LibTorch  2.12.0\n"));
  EXPECT_THAT(
      text,
      HasSubstr("baselines/NVIDIA_H200, last session 2026-11-20\n"
                "  changed   since 2026-11-20: LibTorch 2.11.0 -> 2.12.0; driver 580.159.04 -> "
                "585.10.01; commit old -> new\n"
                "  tonight   6 cases; false-alarm budget 1.0 %\n"
                "            1 compared with sessions of this device, MDE 2.3 % in the "
                "median\n"
                "            2 compared with other devices alone, MDE 7.9 % in the "
                "median\n"
                "            3 not in the baseline\n"));
  EXPECT_THAT(text, Not(HasSubstr("LOCAL")));
  EXPECT_LE(widest(text), 120u);
}

TEST(TableHeading, SaysNothingOfChangesWhereThereAreNone) {
  const Baseline recorded = baseline();
  RunInfo info = run_info();
  info.session = recorded.sessions.begin()->second;
  EXPECT_THAT(Table(false).heading(info, &recorded, {}, 0.01), Not(HasSubstr("changed")));
}

TEST(TableHeading, SaysWhichLibTorchItIsAndWhereItLies) {
  RunInfo info = run_info();
  info.session.libtorch = "2.13.0+cpu";
  info.environment["libtorch_commit"] = "cf30153c4c13";
  info.environment["libtorch_folder"] = "/opt/torch";
  EXPECT_THAT(Table(false).heading(info, nullptr, {}, 0.01),
              HasSubstr("\n  LibTorch  2.13.0+cpu (git cf30153c4c13)\n            /opt/torch\n"));
}

TEST(TableHeading, WarnsOfAnIdThatAnotherHostHasAsWell) {
  Baseline recorded = baseline();
  RunInfo info = run_info();
  info.session.host = "b";
  for (auto& [id, session] : recorded.sessions) {
    session.device_id = info.session.device_id;
    session.host = "b";
  }
  info.device.kind = "cpu";
  EXPECT_THAT(Table(false).heading(info, &recorded, {}, 0.01), Not(HasSubstr("the host")));
  recorded.sessions.begin()->second.host = "a";
  EXPECT_THAT(Table(false).heading(info, &recorded, {}, 0.01),
              HasSubstr("recorded on the host a, and this one is b"));
  info.device.kind = "cuda";
  EXPECT_THAT(Table(false).heading(info, &recorded, {}, 0.01), Not(HasSubstr("the host")));
}

TEST(TableHeading, WarnsOfALocalBaselineAndOfNone) {
  const Baseline recorded = baseline();
  RunInfo info = run_info();
  info.local_baseline = true;
  EXPECT_THAT(Table(false).heading(info, &recorded, {}, 0.01), HasSubstr("LOCAL baselines/"));
  EXPECT_THAT(Table(false).heading(info, nullptr, {}, 0.01),
              HasSubstr("none at baselines/NVIDIA_H200"));
}

TEST(TableMachineLine, ComparesCeilingsWithTheBaselinesMedian) {
  Baseline recorded;
  recorded.sessions["a"].ceilings[{"dram", Unit::kGbPerS}] = 4000;
  recorded.sessions["b"].ceilings[{"dram", Unit::kGbPerS}] = 5000;
  // 4410 / 4500 = 98 %
  const Table table(false);
  RunInfo info;
  info.session.ceilings = {{{"dram", Unit::kGbPerS}, 4410}};
  EXPECT_THAT(table.machine_line(info, &recorded, std::nullopt),
              HasSubstr("dram 4410 GB/s (98 % of baseline)   OK\n"));
  recorded.device.peaks[{"dram", Unit::kGbPerS}] = {4800, "datasheet"};
  EXPECT_THAT(table.machine_line(info, &recorded, std::nullopt),
              HasSubstr("dram 4410 GB/s (98 % of baseline, 92 % of datasheet)   OK\n"));
  info.session.ceilings = {{{"fma", Unit::kGflopPerS}, 50}};
  EXPECT_THAT(table.machine_line(info, &recorded, std::nullopt),
              HasSubstr("fma 50.0 GFLOP/s   OK\n"));
  const std::string unfit = table.machine_line(info, nullptr, "fma off by 40 %");
  EXPECT_THAT(unfit, HasSubstr("INVALID: fma off by 40 %\n"));
  EXPECT_THAT(unfit, Not(HasSubstr("OK")));
}

TEST(TableMachineLine, TellsAQuotaWhereThereIsOne) {
  RunInfo info;
  EXPECT_THAT(Table(false).machine_line(info, nullptr, std::nullopt), Not(HasSubstr("quota")));
  info.environment["cpu_quota"] = "0.5 cores";
  EXPECT_THAT(Table(false).machine_line(info, nullptr, std::nullopt),
              HasSubstr("a quota of 0.5 cores   OK\n"));
}

TEST(TableMachineLine, NeverTakesUnknownHealthForGood) {
  RunInfo info;
  info.environment["health"] = "unknown: libnvidia-ml.so.1: cannot open shared object file";
  info.environment["ecc_uncorrected"] = "unknown: Not Supported";
  const std::string line = Table(false).machine_line(info, nullptr, "");
  EXPECT_THAT(line, HasSubstr("not known: ecc_uncorrected (Not Supported), health (libnvidia-ml"));
  EXPECT_THAT(line, Not(HasSubstr("OK")));
}

TEST(TableMachineLine, SaysOnceThatThereIsNoKernelTrace) {
  RunInfo info;
  info.no_trace = "libcupti.so.13: cannot open shared object file";
  const std::string line = Table(false).machine_line(info, nullptr, "");
  EXPECT_THAT(line, HasSubstr("no kernel trace: libcupti.so.13"));
  EXPECT_THAT(line, Not(HasSubstr("OK")));
}

TEST(TableProgress, TellsHowFarAndHowLongStill) {
  EXPECT_THAT(Table(false).progress(2, 16, kKey, 4.2), ContainsRegex("2/16 +gpt_fast.*eta 4 s$"));
  EXPECT_THAT(Table(false).progress(1, 16, kKey, 0), Not(HasSubstr("eta")));
}

}  // namespace
}  // namespace perfgate
