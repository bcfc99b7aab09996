// The parent's rules when it gates.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "fixtures/gatekeeper_fixture.h"
#include "perfgate/report/results_json.h"

namespace perfgate {
namespace {

using testing::_;
using testing::HasSubstr;
using testing::Return;
using testing_support::failed;
using testing_support::kKey;
using testing_support::machine;
using testing_support::report;

using Gate = testing_support::GatekeeperTest;

TEST_F(Gate, SkipsARunInWhichNothingHasABaseline) {
  EXPECT_CALL(launcher_, launch(kKey, true, _)).WillOnce(Return(report(0.5)));
  EXPECT_EQ(gate_once().verdict, Verdict::kNoBaseline);
  EXPECT_EQ(exit_code_, ExitCode::kSkipped);
}

TEST_F(Gate, FailsACaseWithoutBaselineWhereOneIsRequired) {
  settings_.require_baseline = true;
  EXPECT_CALL(launcher_, launch(kKey, _, _)).WillOnce(Return(report(0.5)));
  gate_once();
  EXPECT_EQ(exit_code_, ExitCode::kFail);
}

TEST_F(Gate, ScreensAQuietCaseWithOneWorker) {
  record(3, 0.5);
  EXPECT_CALL(launcher_, launch(kKey, true, _)).Times(1).WillOnce(Return(report(0.5)));
  EXPECT_EQ(gate_once().verdict, Verdict::kPass);
}

// The library has changed, say, and what was recorded holds no more.
TEST_F(Gate, ScreensWithAFreshWorkerBehindASearch) {
  record(3, 0.5);
  auto behind_search = report(0.48);
  behind_search.tuning["algorithm"] = "7";
  auto told = report(0.5);
  told.tuning = behind_search.tuning;
  EXPECT_CALL(launcher_, launch(kKey, true, _))
      .WillOnce(Return(behind_search))
      .WillOnce(Return(told));
  const auto outcome = gate_once();
  EXPECT_EQ(outcome.verdict, Verdict::kPass);
  ASSERT_EQ(outcome.reports.size(), 1U);
  EXPECT_EQ(outcome.reports[0].metrics.at("utilisation").figure, 0.5);
  EXPECT_EQ(launcher_.last_request.tuning, told.tuning);
}

TEST_F(Gate, TakesTheSecondWorkerAlsoWhereTheLibraryRefusesWhatItFound) {
  record(3, 0.5);
  int searches = 0;
  EXPECT_CALL(launcher_, launch(kKey, true, _)).Times(2).WillRepeatedly([&searches] {
    auto out = report(0.5);
    out.tuning["algorithm"] = std::to_string(++searches);
    return out;
  });
  EXPECT_EQ(gate_once().reports[0].tuning.at("algorithm"), "2");
}

TEST_F(Gate, LetsAFullSessionAloneDecideACandidate) {
  record(3, 0.5);
  // One bad screening worker, then five good ones; only the first of a session checks numbers.
  EXPECT_CALL(launcher_, launch(kKey, true, _))
      .WillOnce(Return(report(0.3)))
      .WillOnce(Return(report(0.5)));
  EXPECT_CALL(launcher_, launch(kKey, false, _)).Times(4).WillRepeatedly(Return(report(0.5)));
  const auto outcome = gate_once();
  EXPECT_EQ(outcome.verdict, Verdict::kPass);
  EXPECT_EQ(outcome.reports.size(), 5U);
}

TEST_F(Gate, NeverRepeatsUntilGreen) {
  record(3, 0.5);
  EXPECT_CALL(launcher_, launch(kKey, _, _)).Times(6).WillRepeatedly(Return(report(0.3)));
  const auto outcome = gate_once();
  EXPECT_EQ(outcome.verdict, Verdict::kRegressed);
  EXPECT_EQ(exit_code_, ExitCode::kFail);
  EXPECT_NE(printed_.find("REGRESSED"), std::string::npos);
}

// A change in a session that others disturbed: 22 % off in its controls.
class DoubtedGate : public Gate {
 protected:
  static WorkerReport beside_others(double utilisation) {
    auto out = report(utilisation);
    out.ceilings["triad_gb_per_s"] = 8.2;
    return out;
  }
  void expect(const std::vector<WorkerReport>& reports) {
    auto& expectation = EXPECT_CALL(launcher_, launch(kKey, _, _)).Times(reports.size());
    for (const auto& item : reports) {
      expectation.WillOnce(Return(item));
    }
  }
  // One that screens, and three sessions of five.
  static std::vector<WorkerReport> sessions(const std::vector<WorkerReport>& of_each) {
    std::vector<WorkerReport> out = {of_each.front()};
    for (const auto& item : of_each) {
      out.insert(out.end(), 5, item);
    }
    return out;
  }
};

TEST_F(DoubtedGate, PassesWhenMostOfTheNightsProcessesDo) {
  record(3, 0.5);
  expect(sessions({beside_others(0.4), report(0.5), report(0.5)}));
  const auto outcome = gate_once();
  EXPECT_EQ(outcome.verdict, Verdict::kPass);
  EXPECT_EQ(outcome.reports.size(), 15U);
}

TEST_F(DoubtedGate, DoesNotForgetTheDoubtedSessionForOneThatReadsPass) {
  record(3, 0.5);
  auto quiet = beside_others(0.4);
  quiet.ceilings["triad_gb_per_s"] = 10;
  auto back = quiet;
  back.metrics["utilisation"].figure = 0.5;
  expect(sessions({beside_others(0.4), quiet, back}));
  EXPECT_EQ(gate_once().verdict, Verdict::kRegressed);
}

TEST_F(DoubtedGate, GivesNoVerdictWhereOthersDisturbItToTheEnd) {
  record(3, 0.5);
  expect(sessions({beside_others(0.4), beside_others(0.4), beside_others(0.4)}));
  EXPECT_EQ(gate_once().verdict, Verdict::kMachineInvalid);
  EXPECT_EQ(exit_code_, ExitCode::kRefused);
}

// 25 % slower, and so is the control beside it: their ratio stays where it was.
class SlowedControl : public Gate {
 protected:
  static WorkerReport with_time(double time_us) {
    auto out = report(0.5);
    out.metrics["time"] = {time_us, "us", Better::kLower, false, "cpu/memory/long"};
    out.ceilings["triad_gb_per_s"] = 1000 / time_us;
    return out;
  }
  void record_hundred_us() {
    settings_.refresh.wanted = true;
    EXPECT_CALL(launcher_, launch(kKey, _, _)).WillRepeatedly(Return(with_time(100)));
    gate_once();
    settings_.refresh.wanted = false;
  }
};

TEST_F(SlowedControl, FailsACaseThatSlowsItsControlWithItself) {
  record_hundred_us();
  EXPECT_CALL(launcher_, launch(kKey, _, _)).Times(6).WillRepeatedly(Return(with_time(125)));
  const auto outcome = gate_once();
  EXPECT_EQ(outcome.verdict, Verdict::kRegressed);
  EXPECT_THAT(outcome.message, HasSubstr("the case slows both"));
  EXPECT_THAT(outcome_text_, HasSubstr("times       time 125 us, was 100 us"));
}

TEST_F(SlowedControl, BlamesTheMachineThatIsSlowByItselfToo) {
  record_hundred_us();
  auto slow = machine();
  slow.ceilings["triad_gb_per_s"] = 8;
  EXPECT_CALL(launcher_, launch(kMachineKey, _, _)).WillRepeatedly(Return(slow));
  EXPECT_CALL(launcher_, launch(kKey, _, _)).Times(1).WillRepeatedly(Return(with_time(125)));
  EXPECT_EQ(gate_once().verdict, Verdict::kPass);
}

TEST_F(SlowedControl, BlamesNoCaseWhoseCoreOthersTook) {
  record_hundred_us();
  auto disturbed = with_time(125);
  disturbed.noisy = true;
  EXPECT_CALL(launcher_, launch(kKey, _, _)).Times(1).WillRepeatedly(Return(disturbed));
  EXPECT_EQ(gate_once().verdict, Verdict::kPass);
}

TEST_F(SlowedControl, TakesAControlThatIsSlowOnceForChance) {
  record_hundred_us();
  EXPECT_CALL(launcher_, launch(kKey, _, _))
      .Times(6)
      .WillOnce(Return(with_time(125)))
      .WillRepeatedly(Return(with_time(100)));
  EXPECT_EQ(gate_once().verdict, Verdict::kPass);
}

TEST_F(Gate, KeepsTheVerdictOfAWorkerThatDied) {
  EXPECT_CALL(launcher_, launch(kKey, _, _)).WillOnce(Return(failed(WorkerStatus::kError)));
  const auto outcome = gate_once();
  EXPECT_EQ(outcome.verdict, Verdict::kError);
  EXPECT_EQ(outcome.message, "because");
  EXPECT_EQ(exit_code_, ExitCode::kFail);
}

TEST_F(Gate, MeasuresNothingOnAMachineThatIsNotTheBaselines) {
  record(3, 0.5);
  auto slow = machine();
  slow.ceilings["triad_gb_per_s"] = 5;
  EXPECT_CALL(launcher_, launch(kMachineKey, _, _)).Times(3).WillRepeatedly(Return(slow));
  EXPECT_CALL(launcher_, launch(kKey, _, _)).Times(0);
  EXPECT_EQ(gate_once().verdict, Verdict::kMachineInvalid);
  EXPECT_GT(slept_, Seconds(1));  // it may only have been busy: asked again after a pause
  EXPECT_EQ(exit_code_, ExitCode::kRefused);
}

WorkerReport report_beside_somebody_else() {
  auto out = report(0.80);
  out.objection = "another process uses the device";
  return out;
}

TEST_F(Gate, AsksAgainWhileTheMachineIsUnfitAndJudgesOnceItIsFit) {
  record(3, 0.80);
  EXPECT_CALL(launcher_, launch(kKey, _, _))
      .WillOnce(Return(report_beside_somebody_else()))
      .WillOnce(Return(report_beside_somebody_else()))
      .WillOnce(Return(report(0.80)));
  EXPECT_EQ(gate_once().verdict, Verdict::kPass);
  EXPECT_EQ(slept_, Seconds(4));
}

TEST_F(Gate, GivesUpOnAMachineThatStaysUnfit) {
  record(3, 0.80);
  EXPECT_CALL(launcher_, launch(kKey, _, _))
      .Times(3)
      .WillRepeatedly(Return(report_beside_somebody_else()));
  EXPECT_EQ(gate_once().verdict, Verdict::kMachineInvalid);
  EXPECT_EQ(exit_code_, ExitCode::kRefused);
}

// Each night the same, in the same folder's history.
TEST_F(Gate, FailsACaseByNameThatNothingCouldJudgeForThreeNights) {
  record(3, 0.80);
  EXPECT_CALL(launcher_, launch(kKey, _, _)).WillRepeatedly(Return(report_beside_somebody_else()));
  const auto night = [this](const std::string& day) {
    Outcome out = gate_once();
    // As if it had been on that day.
    const auto path = night_log_path(settings_.paths.history, device_.model);
    update_night_log(
        path,
        [&](NightLog& log) { log.unjudged.at(device_.unit).at(kKey).last = day + "T00:00:00Z"; },
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

TEST_F(Gate, CountsSeveralRunsOfOneDayAsOneNight) {
  record(3, 0.80);
  EXPECT_CALL(launcher_, launch(kKey, _, _)).WillRepeatedly(Return(report_beside_somebody_else()));
  for (int run = 0; run < 4; ++run) {
    EXPECT_FALSE(gate_once().overdue);
  }
}

class ImprovedGate : public Gate {
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
  device_.unit = "unit-2";
  EXPECT_EQ(gate_at(0.5).verdict, Verdict::kPass);
}

TEST_F(Gate, DoesNotPassARecordedCaseThatIsMeasuredByAnotherProtocolNow) {
  record(3, 0.5);
  auto now = report(0.5);
  now.protocol["samples"] = std::int64_t{31};
  EXPECT_CALL(launcher_, launch(kKey, _, _)).WillRepeatedly(Return(now));
  EXPECT_EQ(gate_once().verdict, Verdict::kNoBaseline);
  EXPECT_EQ(exit_code_, ExitCode::kRefused);
}

TEST_F(Gate, SaysThatAWorkerCouldNotBeStarted) {
  record(3, 0.5);
  EXPECT_CALL(launcher_, launch(kKey, _, _))
      .WillRepeatedly(testing::Throw(SystemError("cannot start a process", "mend")));
  EXPECT_EQ(gate_once().verdict, Verdict::kError);
  EXPECT_EQ(exit_code_, ExitCode::kFail);
}

TEST_F(Gate, RefusesARunOfWhatTheEnvironmentSelects) {
  record(3, 0.5);
  settings_.selection.environment = "PERFGATE_CASE=demo/*";
  EXPECT_CALL(launcher_, launch(kKey, _, _)).WillRepeatedly(Return(report(0.5)));
  EXPECT_EQ(gate_once().verdict, Verdict::kPass);
  EXPECT_EQ(exit_code_, ExitCode::kRefused);
  EXPECT_THAT(printed_, HasSubstr("PARTIAL   the environment selects: PERFGATE_CASE=demo/*"));
}

TEST_F(Gate, KnowsBeforeMeasuringThatResultsCannotBeWritten) {
  std::ofstream(settings_.paths.results) << "a file where the folder should be";
  EXPECT_THROW(made()->require_writable(), SystemError);
}

TEST_F(Gate, RefusesABaselineFolderThatIsNotThere) {
  settings_.paths.baselines = folder_ / "nowhere";
  EXPECT_THROW(made(), UsageError);
}

TEST_F(Gate, RefusesABaselineThatWasCopiedFromAnotherModel) {
  record(1, 0.5);
  std::filesystem::copy_file(baseline_file(), settings_.paths.baselines / "Other_CPU.json");
  device_.model = "Other CPU";
  EXPECT_THROW(made(), UsageError);
}

TEST_F(Gate, CallsACaseOfTheBaselineThatNoTestDeclaresLost) {
  record(1, 0.5);
  auto keeper = gatekeeper();
  const auto nothing = [](const std::string&) { return false; };
  const auto only_this = [](const std::string& key) { return key == kKey; };
  const auto is = [](const std::string& ours) {
    return [ours](const std::string& key) { return key.rfind(ours + "/", 0) == 0; };
  };
  keeper->look_for_lost(is("other"), nothing);
  EXPECT_EQ(keeper->finish(), ExitCode::kSkipped);
  keeper->look_for_lost(is("demo"), only_this);
  EXPECT_EQ(keeper->finish(), ExitCode::kSkipped);
  keeper->look_for_lost(is("demo"), nothing);
  EXPECT_EQ(keeper->finish(), ExitCode::kFail);
  ASSERT_EQ(keeper->run().outcomes.size(), 1U);
  EXPECT_EQ(keeper->run().outcomes[0].verdict, Verdict::kLost);
  EXPECT_EQ(keeper->run().outcomes[0].case_key, kKey);
  testing::internal::GetCapturedStdout();
}

TEST_F(Gate, WritesWhatWasMeasuredSoFarMarkedPartial) {
  EXPECT_CALL(launcher_, launch(kKey, _, _)).WillOnce(Return(report(0.5)));
  auto keeper = gatekeeper();
  keeper->gate(kKey);
  testing::internal::GetCapturedStdout();
  const auto file = std::filesystem::directory_iterator(settings_.paths.results)->path();
  const auto document = parse_strict(read_file(file), file.string());
  const perfgate::Run run = run_from_json(JsonCursor(document, file.string()));
  EXPECT_TRUE(run.partial);
  EXPECT_EQ(run.outcomes.size(), 1U);
}

TEST_F(Gate, WritesAfterEveryCaseWhereThatCostsNothing) {
  EXPECT_CALL(launcher_, launch(kKey, _, _)).WillRepeatedly(Return(report(0.5)));
  auto keeper = gatekeeper();
  disk_.finished = 0;
  for (int cases = 1; cases <= 3; ++cases) {
    keeper->gate(kKey);
    EXPECT_EQ(disk_.finished, cases);
  }
  testing::internal::GetCapturedStdout();
}

TEST_F(Gate, SpendsATwentiethOfTheRunOnWritingWhereThatIsSlow) {
  EXPECT_CALL(launcher_, launch(kKey, _, _)).WillRepeatedly([this] {
    now_ += Seconds(4);
    return report(0.5);
  });
  auto keeper = gatekeeper();
  disk_.on_finished = [this] { now_ += Seconds(0.5); };
  disk_.finished = 0;
  for (const int written : {1, 1, 1, 2, 2, 2, 3}) {  // 10 s after the last time
    keeper->gate(kKey);
    EXPECT_EQ(disk_.finished, written);
  }
  keeper->finish();
  EXPECT_EQ(disk_.finished, 4 + 1);  // and the night log
  testing::internal::GetCapturedStdout();
}

TEST_F(Gate, BlamesATenantThatCameLaterForWhatLooksChanged) {
  record(3, 0.5);
  EXPECT_CALL(launcher_, launch(kKey, _, _)).WillRepeatedly([this] {
    device_.health_now.objection = "1 other process on the GPU";
    return report(0.3);
  });
  const auto outcome = gate_once();
  EXPECT_EQ(outcome.verdict, Verdict::kMachineInvalid);
  EXPECT_THAT(outcome.message, HasSubstr("1 other process on the GPU"));
  EXPECT_EQ(exit_code_, ExitCode::kRefused);
}

TEST_F(Gate, LooksWhoIsOnTheDeviceWhenNoWorkerOfItsOwnIs) {
  record(3, 0.5);
  auto slow = machine();
  slow.ceilings["triad_gb_per_s"] = 5;
  bool worker_is_there = false;
  EXPECT_CALL(launcher_, launch(kMachineKey, _, _)).Times(3).WillRepeatedly([&] {
    worker_is_there = true;
    return slow;
  });
  EXPECT_CALL(launcher_, withdraw).WillRepeatedly([&] { worker_is_there = false; });
  int looks = 0;
  device_.on_looking_alone = [&] {
    EXPECT_FALSE(worker_is_there);
    ++looks;
  };
  gate_once();
  EXPECT_EQ(looks, 3);
}

}  // namespace
}  // namespace perfgate
