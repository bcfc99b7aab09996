// How a case is gated: screening, full sessions, and what others may have changed.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fixtures/case_run_fixture.h"

namespace perfgate {
namespace {

using testing::_;
using testing::HasSubstr;
using testing::Return;
using testing_support::failed;
using testing_support::kKey;
using testing_support::machine;
using testing_support::report;
using testing_support::report_beside_somebody_else;

using Gate = testing_support::CaseRunTest;

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

TEST_F(Gate, WritesAndTellsWhatWasMeasuredThoughNothingCanBeWrittenBehindIt) {
  record(3, 0.5);
  EXPECT_CALL(launcher_, launch(kKey, true, _)).WillOnce(Return(report(0.5)));
  auto case_run = started();
  case_run->gate(kKey);
  disk_.on_finished = [this] { disk_.full = true; };  // once the results are there
  EXPECT_THROW(case_run->finish(), SystemError);
  EXPECT_THAT(testing::internal::GetCapturedStdout(), HasSubstr("1 PASS"));
  EXPECT_THAT(read_file(case_run->results()), HasSubstr("\"partial\": false"));
}

TEST_F(Gate, TellsWhatWasMeasuredThoughItsResultsCannotBeWritten) {
  record(3, 0.5);
  EXPECT_CALL(launcher_, launch(kKey, true, _)).WillOnce(Return(report(0.5)));
  auto case_run = started();
  now_ += Seconds(1000);  // results are due
  disk_.full = true;
  EXPECT_NO_THROW(case_run->gate(kKey));
  EXPECT_THROW(case_run->finish(), SystemError);
  EXPECT_THAT(testing::internal::GetCapturedStdout(), HasSubstr("1 PASS"));
}

TEST_F(Gate, ExpectsTheNextCaseBehindTheLastWorkerOfOne) {
  record(3, 0.5);
  const auto expected_behind = [this](double utilisation) {
    EXPECT_CALL(launcher_, launch(kKey, _, _)).WillRepeatedly(Return(report(utilisation)));
    auto case_run = started();
    case_run->expect({"demo/first", kKey, "demo/next"});
    launcher_.expected.clear();
    case_run->gate(kKey);
    testing::internal::GetCapturedStdout();
    return launcher_.expected;
  };
  const std::string next = "demo/next first";
  EXPECT_EQ(expected_behind(0.5), std::vector{next});
  EXPECT_EQ(expected_behind(0.3),  // screened, then a session of five
            (std::vector<std::string>{next, kKey, kKey, kKey, kKey, next}));
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
  EXPECT_EQ(outcome.reports[0].metrics.at(kUtilisation).value, 0.5);
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
class SuspectedInterference : public Gate {
 protected:
  static WorkerReport beside_others(double utilisation) {
    auto out = report(utilisation);
    out.phases[Phase::kWhole].ceilings[{"triad", Unit::kGbPerS}] = 8.2;
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

TEST_F(SuspectedInterference, PassesWhenMostOfTheNightsProcessesDo) {
  record(3, 0.5);
  expect(sessions({beside_others(0.4), report(0.5), report(0.5)}));
  const auto outcome = gate_once();
  EXPECT_EQ(outcome.verdict, Verdict::kPass);
  EXPECT_EQ(outcome.reports.size(), 15U);
}

TEST_F(SuspectedInterference, DoesNotForgetTheDisturbedSessionForOneThatReadsPass) {
  record(3, 0.5);
  auto quiet = beside_others(0.4);
  quiet.phases[Phase::kWhole].ceilings[{"triad", Unit::kGbPerS}] = 10;
  auto back = quiet;
  back.metrics[kUtilisation].value = 0.5;
  expect(sessions({beside_others(0.4), quiet, back}));
  EXPECT_EQ(gate_once().verdict, Verdict::kRegressed);
}

TEST_F(SuspectedInterference, GivesNoVerdictWhereOthersDisturbItToTheEnd) {
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
    out.metrics[kTime] = {time_us, false, "cpu/memory/long"};
    out.phases[Phase::kWhole].ceilings[{"triad", Unit::kGbPerS}] = 1000 / time_us;
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
  EXPECT_THAT(outcome_text_,
              HasSubstr("control      time 125 us, was 100 us; the control beside it is 20.0 % "
                        "slower than when it was recorded\n"));
}

// Each phase has controls of its own, though both are of one kind.
TEST_F(SlowedControl, LooksAtTheControlOfEachPhase) {
  const auto in_phases = [](double backward_us) {
    WorkerReport out = report(0.5);
    out.metrics.clear();
    out.phases.clear();
    for (const auto& [phase, time_us] :
         {std::pair(Phase::kForward, 100.0), std::pair(Phase::kBackward, backward_us)}) {
      out.metrics[kUtilisation.in(phase)] = {0.5, true, "cpu/memory/long"};
      out.metrics[kTime.in(phase)] = {time_us, false, "cpu/memory/long"};
      out.phases[phase].ceilings[{"triad", Unit::kGbPerS}] = 1000 / time_us;
    }
    return out;
  };
  settings_.refresh.wanted = true;
  EXPECT_CALL(launcher_, launch(kKey, _, _)).WillRepeatedly(Return(in_phases(100)));
  gate_once();
  settings_.refresh.wanted = false;
  EXPECT_EQ(gate_once().verdict, Verdict::kPass);
  EXPECT_CALL(launcher_, launch(kKey, _, _)).Times(6).WillRepeatedly(Return(in_phases(125)));
  EXPECT_EQ(gate_once().verdict, Verdict::kRegressed);
}

TEST_F(SlowedControl, BlamesTheMachineThatIsSlowByItselfToo) {
  record_hundred_us();
  auto slow = machine();
  slow.ceilings[{"triad", Unit::kGbPerS}] = 8;
  EXPECT_CALL(launcher_, launch(kMachineKey, _, _)).WillRepeatedly(Return(slow));
  EXPECT_CALL(launcher_, launch(kKey, _, _)).Times(1).WillRepeatedly(Return(with_time(125)));
  EXPECT_EQ(gate_once().verdict, Verdict::kPass);
}

TEST_F(SlowedControl, NeitherBlamesNorPassesACaseWhoseCoreOthersTook) {
  record_hundred_us();
  auto disturbed = with_time(125);
  disturbed.phases[Phase::kWhole].noisy = true;
  EXPECT_CALL(launcher_, launch(kKey, _, _)).Times(6).WillRepeatedly(Return(disturbed));
  const auto outcome = gate_once();
  EXPECT_EQ(outcome.verdict, Verdict::kMachineInvalid);
  EXPECT_THAT(outcome.message, HasSubstr("others kept taking the core"));
}

TEST_F(SlowedControl, IsNotRecordedAsUnchanged) {
  record_hundred_us();
  settings_.refresh.wanted = true;
  EXPECT_CALL(launcher_, launch(kKey, _, _)).WillRepeatedly(Return(with_time(125)));
  EXPECT_EQ(gate_once().recorded, Recorded::kRefused);
}

TEST_F(SlowedControl, IsNotRecordedWhereOthersDisturbedTheSecondLook) {
  record_hundred_us();
  auto disturbed = with_time(100);
  disturbed.phases[Phase::kWhole].noisy = true;
  settings_.refresh.wanted = true;
  int launches = 0;
  EXPECT_CALL(launcher_, launch(kKey, _, _)).WillRepeatedly([&] {
    return ++launches <= 5 ? with_time(125) : disturbed;
  });
  EXPECT_EQ(gate_once().recorded, Recorded::kRefused);
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
  slow.ceilings[{"triad", Unit::kGbPerS}] = 5;
  EXPECT_CALL(launcher_, launch(kMachineKey, _, _)).Times(3).WillRepeatedly(Return(slow));
  EXPECT_CALL(launcher_, launch(kKey, _, _)).Times(0);
  EXPECT_EQ(gate_once().verdict, Verdict::kMachineInvalid);
  EXPECT_GT(slept_, Seconds(1));  // it may only have been busy: asked again after a pause
  EXPECT_EQ(exit_code_, ExitCode::kRefused);
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

}  // namespace
}  // namespace perfgate
