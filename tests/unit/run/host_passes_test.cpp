// From a refresh that brings host passes to a case that is recorded, to the nights that judge them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fixtures/case_run_fixture.h"

namespace perfgate {
namespace {

using testing::_;
using testing::HasSubstr;
using testing::Return;
using testing_support::kKey;
using testing_support::report;

// The host takes 41 us, six controls, unless it is said otherwise.
WorkerReport with_pass(double relative = 6, double control_us = 7) {
  WorkerReport out = report(0.5);
  out.metrics[kEnqueueTime] = {relative * control_us, false, "cuda/enqueue", Statistic::kMedian,
                               0.1};
  out.metrics[kRelativeEnqueueTime] = {relative, true, "cuda/relative_enqueue", Statistic::kMedian,
                                       0.1};
  out.metrics[kHostControl] = {control_us, false, "cuda/relative_enqueue"};
  out.phases[Phase::kWhole].protocol[kHostPass] = std::string("40 samples");
  return out;
}

class HostPassesOfARun : public testing_support::CaseRunTest {
 protected:
  Outcome gated(const WorkerReport& reported) {
    EXPECT_CALL(launcher_, launch(kKey, _, _)).WillRepeatedly(Return(reported));
    return gate_once();
  }
};

TEST_F(HostPassesOfARun, AreAddedByARefreshAndJudgedFromThenOn) {
  record(3, report(0.5));
  EXPECT_EQ(gated(with_pass()).not_judged.at(kRelativeEnqueueTime),
            "no host pass is recorded of it");
  record(1, with_pass());
  const auto baseline = load_baseline(baseline_folder());
  EXPECT_EQ(baseline->cases.at(kKey).revisions.size(), 1U) << "nothing begins anew";
  EXPECT_EQ(baseline->sessions.size(), 4U);

  const auto same = gated(with_pass());
  EXPECT_EQ(same.verdict, Verdict::kPass);
  EXPECT_EQ(same.judgements.size(), 2U);
  EXPECT_TRUE(same.not_judged.empty());

  const auto slower = gated(with_pass(12));
  EXPECT_EQ(slower.verdict, Verdict::kRegressed);
  EXPECT_EQ(slower.deciding()->metric, kRelativeEnqueueTime);
  EXPECT_EQ(slower.reports.size(), 5U) << "a full session decides";
  EXPECT_THAT(outcome_text_, HasSubstr("relative_enqueue_time 12.0 x control (84.0 us)"));
}

TEST_F(HostPassesOfARun, AreNotJudgedOnADeviceThatHasNone) {
  record(3, with_pass());
  device_.device_id = "unit-2";
  const auto outcome = gated(with_pass(12));
  EXPECT_EQ(outcome.verdict, Verdict::kPass);
  EXPECT_EQ(outcome.reports.size(), 1U) << "and cost no session";
  EXPECT_EQ(outcome.not_judged.at(kRelativeEnqueueTime),
            "no host pass is recorded of it on this device");
}

TEST_F(HostPassesOfARun, CostNoSessionWhereOthersExplainWhatTheyFind) {
  record(3, with_pass());
  const auto outcome = gated(with_pass(12, 35));
  EXPECT_EQ(outcome.verdict, Verdict::kPass);
  EXPECT_EQ(outcome.reports.size(), 1U);
  EXPECT_THAT(outcome.not_judged.at(kRelativeEnqueueTime),
              HasSubstr("the host's control takes 35"));
  EXPECT_THAT(printed_, HasSubstr("not judged"));
}

TEST_F(HostPassesOfARun, MayBeMissingFromANightAndFromARefresh) {
  record(1, with_pass());
  const auto outcome = gated(report(0.5));
  EXPECT_EQ(outcome.verdict, Verdict::kPass);
  EXPECT_EQ(outcome.not_judged.count(kRelativeEnqueueTime), 1U);
  record(1, report(0.5));
  record(1, with_pass());
  EXPECT_EQ(load_baseline(baseline_folder())->cases.at(kKey).revisions.size(), 1U);
  EXPECT_EQ(load_baseline(baseline_folder())->sessions.size(), 3U);
}

}  // namespace
}  // namespace perfgate
