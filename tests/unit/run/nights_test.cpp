// What one night leaves for the next.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "fixtures/case_run_fixture.h"
#include "perfgate/run/night/night_history.h"

namespace perfgate {
namespace {

using testing::_;
using testing::HasSubstr;
using testing::Return;
using testing_support::kKey;
using testing_support::report;
using testing_support::report_beside_somebody_else;

class Nights : public testing_support::CaseRunTest {
 protected:
  [[nodiscard]] std::filesystem::path history() const {
    return night_history_path(settings_.paths.history, device_.model);
  }
  // Gates, as if it had been on that day.
  Outcome gate_on(const std::string& day) {
    Outcome out = gate_once();
    std::string text = read_file(history());
    const auto begin = text.find_last_of('\n', text.size() - 2);
    const std::string time = R"("time":")";
    text.replace(text.find(time, begin == std::string::npos ? 0 : begin) + time.size(), day.size(),
                 day);
    write_atomically(history(), text, disk_);
    return out;
  }
};

TEST_F(Nights, FailsACaseByNameThatNothingCouldJudgeForThreeNights) {
  record(3, 0.80);
  EXPECT_CALL(launcher_, launch(kKey, _, _)).WillRepeatedly(Return(report_beside_somebody_else()));
  EXPECT_FALSE(gate_on("2026-11-01").overdue);
  EXPECT_EQ(exit_code_, ExitCode::kRefused);
  EXPECT_FALSE(gate_on("2026-11-02").overdue);
  const auto third = gate_once();
  EXPECT_TRUE(third.overdue);
  EXPECT_EQ(exit_code_, ExitCode::kFail);
  EXPECT_THAT(third.message, HasSubstr("nothing has judged it in 3 nights, since 2026-11-01"));
  EXPECT_CALL(launcher_, launch(kKey, _, _)).WillRepeatedly(Return(report(0.80)));
  EXPECT_EQ(gate_once().verdict, Verdict::kPass);
  EXPECT_EQ(exit_code_, ExitCode::kOk);
  EXPECT_CALL(launcher_, launch(kKey, _, _)).WillRepeatedly(Return(report_beside_somebody_else()));
  EXPECT_FALSE(gate_once().overdue);  // it begins anew
}

TEST_F(Nights, BeginToCountAnewBehindARunOfTheCaseAlone) {
  record(3, 0.80);
  EXPECT_CALL(launcher_, launch(kKey, _, _)).WillRepeatedly(Return(report_beside_somebody_else()));
  gate_on("2026-11-01");
  gate_on("2026-11-02");
  EXPECT_CALL(launcher_, launch(kKey, _, _)).WillRepeatedly(Return(report(0.80)));
  settings_.selection.case_glob = "demo/*";
  EXPECT_EQ(gate_on("2026-11-03").verdict, Verdict::kPass);
  settings_.selection.case_glob.clear();
  EXPECT_CALL(launcher_, launch(kKey, _, _)).WillRepeatedly(Return(report_beside_somebody_else()));
  EXPECT_FALSE(gate_once().overdue);
}

TEST_F(Nights, CountsThoseOfAHistoryThatIsInNoOrder) {
  record(3, 0.80);
  EXPECT_CALL(launcher_, launch(kKey, _, _)).WillRepeatedly(Return(report_beside_somebody_else()));
  gate_on("2026-11-03");
  gate_on("2026-11-02");
  EXPECT_CALL(launcher_, launch(kKey, _, _)).WillRepeatedly(Return(report(0.80)));
  EXPECT_EQ(gate_on("2026-11-01").verdict, Verdict::kPass);
  EXPECT_CALL(launcher_, launch(kKey, _, _)).WillRepeatedly(Return(report_beside_somebody_else()));
  EXPECT_TRUE(gate_once().overdue);
}

TEST_F(Nights, AreCountedThoughTheClockWasAheadOnce) {
  record(3, 0.80);
  EXPECT_CALL(launcher_, launch(kKey, _, _)).WillRepeatedly(Return(report(0.80)));
  EXPECT_EQ(gate_on("9998-11-01").verdict, Verdict::kPass);
  EXPECT_CALL(launcher_, launch(kKey, _, _)).WillRepeatedly(Return(report_beside_somebody_else()));
  gate_on("2026-11-01");
  gate_on("2026-11-02");
  EXPECT_TRUE(gate_once().overdue);
}

TEST_F(Nights, LeaveNothingOfARunOfOneCaseThatPasses) {
  record(3, 0.80);
  EXPECT_CALL(launcher_, launch(kKey, _, _)).WillRepeatedly(Return(report(0.80)));
  settings_.selection.case_glob = "demo/*";
  gate_once();
  EXPECT_FALSE(std::filesystem::exists(history()));
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

TEST_F(ImprovedGate, ForgetsItOnceAnotherStateIsRecorded) {
  record(3, 0.5);
  gate_at(0.9);
  EXPECT_EQ(gate_at(0.5).verdict, Verdict::kRegressed);
  settings_.refresh.reason = "a better kernel";
  record(1, 0.8);
  EXPECT_EQ(gate_at(0.8).verdict, Verdict::kPass) << "though it was faster once";
}

TEST_F(ImprovedGate, HoldsWhatARunOfTheCaseAloneHasSeen) {
  record(3, 0.5);
  settings_.selection.case_glob = "demo/*";
  EXPECT_EQ(gate_at(0.8).verdict, Verdict::kImproved);
  settings_.selection.case_glob.clear();
  EXPECT_EQ(gate_at(0.5).verdict, Verdict::kRegressed);
}

TEST_F(ImprovedGate, HoldsTheFirstImprovement) {
  record(3, 0.5);
  gate_at(0.7);
  gate_at(0.8);
  EXPECT_NEAR(gate_at(0.5).deciding()->change, 0.4, 1e-6);
}

TEST_F(ImprovedGate, HoldsNothingForAnotherDevice) {
  record(3, 0.5);
  gate_at(0.8);
  device_.device_id = "unit-2";
  EXPECT_EQ(gate_at(0.5).verdict, Verdict::kPass);
}

}  // namespace
}  // namespace perfgate
