// What people read of the host's passes.

#include "perfgate/report/host_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fixtures/outcomes.h"
#include "perfgate/report/failure.h"
#include "perfgate/report/table.h"

namespace perfgate {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing_support::judged;

// The host takes 41 us, 5 controls, the device 12.
void add_pass(WorkerReport& report, double host_us = 41, double control_us = 8.2) {
  report.metrics[kNetTime] = {12, true, "cuda/compute/short"};
  report.metrics[kEnqueueTime] = {host_us, false, "cuda/enqueue"};
  report.metrics[kRelativeEnqueueTime] = {host_us / control_us, true, "cuda/relative_enqueue"};
  report.metrics[kHostControl] = {control_us, false, "cuda/relative_enqueue"};
}

Outcome with_pass(Verdict verdict) {
  Outcome out = judged(verdict);
  for (auto& report : out.reports) {
    add_pass(report);
  }
  return out;
}

Judgement of_host(Verdict verdict) {
  Judgement out = testing_support::judgement(verdict);
  out.metric = kRelativeEnqueueTime;
  out.now = 5;
  out.before = 4;
  out.change = 0.25;
  out.mde = 0.18;
  return out;
}

TEST(HostPassRemark, SaysWhatTheHostTakesAndWhatWouldBeSeenOfIt) {
  Outcome outcome = with_pass(Verdict::kPass);
  EXPECT_EQ(host_pass_remark(outcome, Phase::kWhole), "");
  outcome.judgements.push_back(of_host(Verdict::kPass));
  EXPECT_EQ(host_pass_remark(outcome, Phase::kWhole), "  host 41.0 us, MDE 18.0 %");
  EXPECT_THAT(Table(false).row(outcome, 1, 1), HasSubstr("PASS  host 41.0 us, MDE 18.0 %\n"));
}

TEST(HostPassRemark, SaysThatItIsNotJudged) {
  Outcome outcome = with_pass(Verdict::kPass);
  outcome.not_judged[kRelativeEnqueueTime] = "why";
  EXPECT_EQ(host_pass_remark(outcome, Phase::kWhole), "  host 41.0 us not judged");
  for (auto& report : outcome.reports) {
    report.metrics.erase(kEnqueueTime);
  }
  EXPECT_EQ(host_pass_remark(outcome, Phase::kWhole), "  host not judged");
}

TEST(HostLines, SayThatACaseIsLaunchBoundWhereTheHostIsTheFinding) {
  Outcome outcome = with_pass(Verdict::kRegressed);
  outcome.judgements.front().verdict = Verdict::kPass;
  outcome.judgements.push_back(of_host(Verdict::kRegressed));
  const std::string text = failure_text(outcome, testing_support::run_info(), nullptr);
  EXPECT_THAT(text,
              HasSubstr("relative_enqueue_time 5.00 x control (41.0 us), was 4.00 x control"));
  EXPECT_THAT(text, HasSubstr("  launch-bound host time 41.0 us, device 12.0 us\n"));
}

TEST(HostLines, SayWhatWasNotJudgedOfACaseThatFailsOtherwise) {
  Outcome outcome = with_pass(Verdict::kRegressed);
  EXPECT_EQ(host_lines(outcome), "");
  outcome.not_judged[kRelativeEnqueueTime] = "no host pass is recorded of it";
  EXPECT_EQ(host_lines(outcome),
            "  not judged   relative_enqueue_time: no host pass is recorded of it\n");
}

class HostChangeText : public testing::Test {
 protected:
  void add_pairs(double host_us, double control_us) {
    for (const double noise : {1.001, 0.999, 1.0, 1.002}) {
      reports_.before.push_back(testing_support::worker(reports_.case_key, 15));
      reports_.now.push_back(testing_support::worker(reports_.case_key, 15));
      add_pass(reports_.before.back());
      add_pass(reports_.now.back(), host_us * noise, control_us * noise);
    }
  }
  std::string text(Metric metric, Verdict verdict = Verdict::kRegressed) {
    PairedOutcome outcome;
    outcome.verdict = verdict;
    PairedJudgement judgement;
    judgement.metric = metric;
    judgement.verdict = verdict;
    outcome.judgements.push_back(judgement);
    return host_change_text(reports_, outcome);
  }
  PairedReports reports_{"a/case", {}, {}};
};

TEST_F(HostChangeText, TellsLibTorchsOwnPartFromLaunching) {
  add_pairs(51, 8.2);
  EXPECT_EQ(text(kEnqueueTime),
            "host time 51.0 us, device 12.0 us: launch-bound; its control launches as fast as "
            "before, so it is not launching itself that is slower");
  EXPECT_EQ(text(kEnqueueTime, Verdict::kImproved),
            "host time 51.0 us, device 12.0 us: launch-bound");
}

TEST_F(HostChangeText, NamesLaunchingWhereTheControlIsSlowerToo) {
  add_pairs(71, 38.2);
  EXPECT_EQ(text(kEnqueueTime),
            "host time 71.0 us, device 12.0 us: launch-bound; its control takes 38.2 us, was 8.20 "
            "us: launching itself is slower (a library that is preloaded, the driver), whoever "
            "launches");
}

TEST_F(HostChangeText, SaysNothingWhereTheDeviceIsTheFinding) {
  add_pairs(71, 38.2);
  EXPECT_EQ(text(kNetTime), "");
}

}  // namespace
}  // namespace perfgate
