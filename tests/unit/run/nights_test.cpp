// What one night leaves for the next.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fixtures/gatekeeper_fixture.h"

namespace perfgate {
namespace {

using testing::_;
using testing::HasSubstr;
using testing::Return;
using testing_support::kKey;
using testing_support::report;
using testing_support::report_beside_somebody_else;

using Nights = testing_support::GatekeeperTest;

// Each night the same, in the same folder's history.
TEST_F(Nights, FailsACaseByNameThatNothingCouldJudgeForThreeNights) {
  record(3, 0.80);
  EXPECT_CALL(launcher_, launch(kKey, _, _)).WillRepeatedly(Return(report_beside_somebody_else()));
  const auto night = [this](const std::string& day) {
    Outcome out = gate_once();
    // As if it had been on that day.
    const auto path = night_log_path(settings_.paths.history, device_.model);
    update_night_log(
        path,
        [&](NightLog& log) {
          log.unjudged.at(device_.device_id).at(kKey).last = day + "T00:00:00Z";
        },
        disk_);
    return out;
  };
  EXPECT_FALSE(night("2026-11-01").overdue);
  EXPECT_EQ(exit_code_, ExitCode::kRefused);
  EXPECT_FALSE(night("2026-11-02").overdue);
  const auto third = gate_once();
  EXPECT_TRUE(third.overdue);
  EXPECT_EQ(exit_code_, ExitCode::kFail);
  EXPECT_THAT(third.message, HasSubstr("nothing has judged it in 3 nights"));
  EXPECT_CALL(launcher_, launch(kKey, _, _)).WillRepeatedly(Return(report(0.80)));
  EXPECT_EQ(gate_once().verdict, Verdict::kPass);
  EXPECT_EQ(exit_code_, ExitCode::kOk);
  EXPECT_CALL(launcher_, launch(kKey, _, _)).WillRepeatedly(Return(report_beside_somebody_else()));
  EXPECT_FALSE(gate_once().overdue);  // it begins anew
}

TEST_F(Nights, CountsSeveralRunsOfOneDayAsOneNight) {
  record(3, 0.80);
  EXPECT_CALL(launcher_, launch(kKey, _, _)).WillRepeatedly(Return(report_beside_somebody_else()));
  for (int run = 0; run < 4; ++run) {
    EXPECT_FALSE(gate_once().overdue);
  }
}

class ImprovedGate : public Nights {
 protected:
  Outcome gate_at(double utilisation) {
    EXPECT_CALL(launcher_, launch(kKey, _, _)).WillRepeatedly(Return(report(utilisation)));
    return gate_once();
  }
};

TEST_F(ImprovedGate, HoldsWhatImprovedUntilItIsRecorded) {
  record(3, 0.5);
  EXPECT_EQ(gate_at(0.8).verdict, Verdict::kImproved);
  EXPECT_THAT(printed_, HasSubstr("--refresh --reason=\"why\" --case=demo/case/eager"));
  EXPECT_EQ(gate_at(0.8).verdict, Verdict::kImproved);
  const auto lost = gate_at(0.5);
  EXPECT_EQ(lost.verdict, Verdict::kRegressed);
  EXPECT_THAT(lost.message, HasSubstr("it had improved on "));
  EXPECT_NEAR(lost.deciding()->change, 0.6, 1e-6);
  EXPECT_EQ(exit_code_, ExitCode::kFail);
  EXPECT_EQ(gate_at(0.8).verdict, Verdict::kImproved);
}

TEST_F(ImprovedGate, ForgetsItOnceItIsRecorded) {
  record(3, 0.5);
  gate_at(0.8);
  settings_.refresh.reason = "a better kernel";
  record(1, 0.8);
  EXPECT_EQ(gate_at(0.8).verdict, Verdict::kPass);
  EXPECT_TRUE(
      load_night_log(night_log_path(settings_.paths.history, device_.model)).improvements.empty());
}

TEST_F(ImprovedGate, HoldsNothingForAnotherDevice) {
  record(3, 0.5);
  gate_at(0.8);
  device_.device_id = "unit-2";
  EXPECT_EQ(gate_at(0.5).verdict, Verdict::kPass);
}

}  // namespace
}  // namespace perfgate
