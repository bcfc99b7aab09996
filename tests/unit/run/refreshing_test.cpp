// The parent's rules when it refreshes a baseline.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fixtures/case_run_fixture.h"
#include "fixtures/message_of.h"

namespace perfgate {
namespace {

using testing::_;
using testing::AllOf;
using testing::HasSubstr;
using testing::Return;
using testing_support::failed;
using testing_support::kKey;
using testing_support::machine;
using testing_support::report;

using Refresh = testing_support::CaseRunTest;

TEST_F(Refresh, RecordsASessionAndAddsTheNextToIt) {
  record(2, 0.5);
  const auto baseline = load_baseline(baseline_folder());
  ASSERT_TRUE(baseline.has_value());
  EXPECT_EQ(baseline->sessions.size(), 2U);
  const auto& revisions = baseline->cases.at(kKey).revisions;
  ASSERT_EQ(revisions.size(), 1U);
  EXPECT_EQ(revisions[0].measurements.at(kUtilisation).begin()->second.size(), 5U);
}

WorkerReport machine_report(double triad) {
  auto out = machine();
  out.ceilings[{"triad", Unit::kGbPerS}] = triad;
  return out;
}

class RefreshedMachine : public Refresh {
 protected:
  void record_once() {
    EXPECT_CALL(launcher_, launch(kKey, _, _)).WillRepeatedly(Return(report(0.5)));
    settings_.refresh.wanted = true;
    gate_once();
  }
  [[nodiscard]] double recorded_triad() const {
    return load_baseline(baseline_folder())
        .value()
        .sessions.begin()
        ->second.ceilings.at({"triad", Unit::kGbPerS});
  }
};

TEST_F(RefreshedMachine, RecordsTheMachineAsItUsuallyReads) {
  EXPECT_CALL(launcher_, launch(kMachineKey, _, _))
      .WillOnce(Return(machine_report(6)))  // somebody still uses it
      .WillOnce(Return(machine_report(10)))
      .WillOnce(Return(machine_report(11)));
  record_once();
  EXPECT_EQ(recorded_triad(), 10);
}

TEST_F(RefreshedMachine, RefusesASessionOfAMachineThatReadOtherwiseMostOfTheTime) {
  record(3, 0.5);
  EXPECT_CALL(launcher_, launch(kMachineKey, _, _))
      .WillOnce(Return(machine_report(10)))
      .WillRepeatedly(Return(machine_report(6)));
  record_once();
  EXPECT_EQ(load_baseline(baseline_folder())->sessions.size(), 3U);
  EXPECT_THAT(printed_, testing::HasSubstr("the device was not fit when the session ended"));
}

TEST_F(RefreshedMachine, KeepsTheSessionWhereTheMachineCannotBeReadAgain) {
  EXPECT_CALL(launcher_, launch(kMachineKey, _, _))
      .WillOnce(Return(machine_report(10)))
      .WillRepeatedly([](const auto&...) -> WorkerReport {
        throw SystemError("no process can be started", "end some");
      });
  record_once();
  EXPECT_TRUE(load_baseline(baseline_folder()).has_value());
}

TEST_F(RefreshedMachine, DoesWithoutAReadingThatTheMachineDidNotGive) {
  EXPECT_CALL(launcher_, launch(kMachineKey, _, _))
      .WillOnce(Return(machine_report(10)))
      .WillRepeatedly(Return(failed(WorkerStatus::kError)));
  record_once();
  EXPECT_EQ(recorded_triad(), 10);
}

TEST_F(Refresh, RefusesAChangedCaseWithoutAReasonAndLeavesTheFileAlone) {
  record(3, 0.5);
  const auto before = recorded_files();
  settings_.refresh.wanted = true;
  EXPECT_CALL(launcher_, launch(kKey, _, _)).WillRepeatedly(Return(report(0.3)));
  const auto outcome = gate_once();
  EXPECT_EQ(outcome.recorded, Recorded::kRefused);
  EXPECT_EQ(exit_code_, ExitCode::kRefused);
  EXPECT_EQ(recorded_files(), before);
}

TEST_F(Refresh, StartsANewRevisionForASlowerCaseThatIsAccepted) {
  record(3, 0.5);
  settings_.refresh.accept = {{"demo/*", "a slower kernel that is more exact"}};
  record(1, 0.3);
  EXPECT_EQ(exit_code_, ExitCode::kOk);
  const auto baseline = load_baseline(baseline_folder());
  const auto& revisions = baseline->cases.at(kKey).revisions;
  ASSERT_EQ(revisions.size(), 2U);
  EXPECT_EQ(revisions[1].reason, "a slower kernel that is more exact");
}

// One reason for a whole run would take every regression of that night along.
TEST_F(Refresh, TakesNoSlowerCaseByTheRunsReason) {
  record(3, 0.5);
  const auto before = recorded_files();
  settings_.refresh.wanted = true;
  settings_.refresh.reason = "LibTorch 2.14";
  settings_.refresh.accept = {{"demo/other/*", "another one"}};
  EXPECT_CALL(launcher_, launch(kKey, _, _)).WillRepeatedly(Return(report(0.3)));
  const auto outcome = gate_once();
  EXPECT_EQ(outcome.recorded, Recorded::kRefused);
  EXPECT_THAT(outcome.message, testing::HasSubstr("--accept='demo/case/eager:why'"));
  EXPECT_EQ(exit_code_, ExitCode::kRefused);
  EXPECT_EQ(recorded_files(), before);
}

TEST_F(Refresh, TakesAFasterCaseByTheRunsReason) {
  record(3, 0.5);
  settings_.refresh.reason = "LibTorch 2.14";
  record(1, 0.8);
  EXPECT_EQ(exit_code_, ExitCode::kOk);
  EXPECT_EQ(load_baseline(baseline_folder())->cases.at(kKey).revisions.back().reason,
            "LibTorch 2.14");
}

TEST_F(Refresh, RecordsNothingOfASessionThatAnotherTenantSharedInTheEnd) {
  record(1, 0.5);
  const auto before = recorded_files();
  settings_.refresh.wanted = true;
  EXPECT_CALL(launcher_, launch(kKey, _, _)).WillRepeatedly(Return(report(0.5)));
  auto case_run = started();
  EXPECT_EQ(case_run->gate(kKey).recorded, Recorded::kSession);
  device_.health_now.why_unfit = "1 other process on the GPU (first pid 7)";
  EXPECT_EQ(case_run->finish(), ExitCode::kRefused);
  testing::internal::GetCapturedStdout();
  EXPECT_EQ(recorded_files(), before);
  EXPECT_THAT(case_run->run().outcomes[0].message, testing::HasSubstr("first pid 7"));
}

TEST_F(Refresh, RefusesACaseThatMayNeedBusyTimeWhereThereIsNoTrace) {
  settings_.refresh.wanted = true;
  double net_us = 100;
  EXPECT_CALL(launcher_, launch(kKey, _, _)).WillRepeatedly([&net_us] {
    auto out = report(0.5);
    out.metrics = {{kNetTime, {net_us *= 1.05, true, "cuda/memory/long"}}};
    out.phases[Phase::kWhole].trace = NoTrace{"no libcupti"};
    return out;
  });
  const auto outcome = gate_once();
  EXPECT_EQ(outcome.recorded, Recorded::kRefused);
  EXPECT_THAT(outcome.message, testing::HasSubstr("no kernel trace: no libcupti"));
  EXPECT_EQ(exit_code_, ExitCode::kRefused);
}

TEST_F(Refresh, RefusesItHoweverSteadyWhereItIsLaunchBound) {
  settings_.refresh.wanted = true;
  EXPECT_CALL(launcher_, launch(kKey, _, _)).WillRepeatedly([] {
    auto out = report(0.5);
    out.metrics = {{kNetTime, {100, true, "cuda/memory/long"}}};
    out.phases[Phase::kWhole].protocol[kQueuedWhole] = false;
    out.phases[Phase::kWhole].trace = NoTrace{"no libcupti"};
    return out;
  });
  const auto outcome = gate_once();
  EXPECT_EQ(outcome.recorded, Recorded::kRefused);
  EXPECT_THAT(outcome.message, testing::HasSubstr("it is launch-bound"));
}

TEST_F(Refresh, RecordsWhatEveryWorkerMeasuredWhereOneCouldNotBeTraced) {
  settings_.refresh.wanted = true;
  int worker = 0;
  EXPECT_CALL(launcher_, launch(kKey, _, _)).WillRepeatedly([&worker] {
    auto out = report(0.5);
    if (++worker == 3) {
      out.phases[Phase::kWhole].trace = NoTrace{"another profiler"};
    } else {
      out.metrics[kBusyTime] = {80, false, "cuda/memory/long"};
    }
    return out;
  });
  EXPECT_EQ(gate_once().recorded, Recorded::kFirst);
  const auto& metrics = load_baseline(baseline_folder())->cases.at(kKey).metrics;
  EXPECT_EQ(metrics.count(kUtilisation), 1U);
  EXPECT_EQ(metrics.count(kBusyTime), 0U);
}

TEST_F(Refresh, RefusesASessionThatOthersDisturbed) {
  settings_.refresh.wanted = true;
  auto disturbed = report(0.5);
  disturbed.phases[Phase::kWhole].noisy = true;
  EXPECT_CALL(launcher_, launch(kKey, _, _)).Times(2 * 3).WillRepeatedly(Return(disturbed));
  const auto outcome = gate_once();
  EXPECT_EQ(outcome.recorded, Recorded::kRefused);
  EXPECT_THAT(outcome.message, testing::HasSubstr("in 3 of 3 processes others disturbed"));
  EXPECT_EQ(exit_code_, ExitCode::kRefused);
  EXPECT_FALSE(std::filesystem::exists(baseline_folder()));
}

TEST_F(Refresh, RecordsOnceTheMachineIsQuiet) {
  settings_.refresh.wanted = true;
  int workers = 0;
  EXPECT_CALL(launcher_, launch(kKey, _, _)).WillRepeatedly([&workers] {
    auto out = report(0.5);
    out.phases[Phase::kWhole].noisy = workers < 3 || workers == 4;
    ++workers;
    return out;
  });
  EXPECT_EQ(gate_once().recorded, Recorded::kFirst);
}

TEST_F(Refresh, RefusesWhatItCouldNotReadAgainAndRecordsTheRest) {
  settings_.refresh.wanted = true;
  auto odd = report(0.5);
  odd.metrics.at(kUtilisation).tolerance = 1;
  EXPECT_CALL(launcher_, launch(kKey, _, _)).WillRepeatedly(Return(odd));
  auto other = report(0.5);
  other.case_key = "demo/other/eager";
  EXPECT_CALL(launcher_, launch("demo/other/eager", _, _)).WillRepeatedly(Return(other));
  auto case_run = started();
  const auto outcome = case_run->gate(kKey);
  case_run->gate("demo/other/eager");
  EXPECT_EQ(case_run->finish(), ExitCode::kRefused);
  testing::internal::GetCapturedStdout();
  EXPECT_EQ(outcome.recorded, Recorded::kRefused);
  EXPECT_THAT(outcome.message, testing::HasSubstr("would pass anything"));
  EXPECT_EQ(load_baseline(baseline_folder())->cases.size(), 1U);
}

TEST_F(Refresh, RefusesToRecordWrongNumbers) {
  settings_.refresh.wanted = true;
  EXPECT_CALL(launcher_, launch(kKey, _, _)).WillOnce(Return(failed(WorkerStatus::kWrong)));
  gate_once();
  EXPECT_FALSE(std::filesystem::exists(baseline_folder()));
}

TEST_F(Refresh, LeavesTheOldBaselineWholeWhenTheDiskIsFull) {
  record(3, 0.5);
  const auto before = recorded_files();
  settings_.refresh.wanted = true;
  EXPECT_CALL(launcher_, launch(kKey, _, _)).WillRepeatedly(Return(report(0.5)));
  auto case_run = started();
  case_run->gate(kKey);
  disk_.full = true;
  EXPECT_THROW(case_run->finish(), SystemError);
  testing::internal::GetCapturedStdout();
  EXPECT_EQ(recorded_files(), before);
}

TEST_F(Refresh, AsksForANameOfAMachineThatWouldNotBeKnownAgainAndGatesItAllTheSame) {
  device_.why_not_kept = "no id of this machine alone";
  EXPECT_NO_THROW(made()->require_writable());
  settings_.refresh.wanted = true;
  EXPECT_THAT(testing_support::message_of([&] { made()->require_writable(); }),
              AllOf(HasSubstr("no id of this machine alone"), HasSubstr("--device_id=NAME")));
}

TEST_F(Refresh, KnowsBeforeMeasuringThatABaselineCannotBeWritten) {
  auto lock = baseline_folder();
  std::filesystem::create_directory(lock += ".lock");  // nothing there can be opened as a file
  EXPECT_NO_THROW(made()->require_writable());
  settings_.refresh.wanted = true;
  EXPECT_THROW(made()->require_writable(), SystemError);
}

}  // namespace
}  // namespace perfgate
