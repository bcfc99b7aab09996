// What a run does around its cases: files, lost cases, results, other tenants.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "fixtures/case_run_fixture.h"
#include "perfgate/core/plain_text.h"
#include "perfgate/report/results_json.h"

namespace perfgate {
namespace {

using testing::_;
using testing::HasSubstr;
using testing::Return;
using testing_support::kKey;
using testing_support::machine;
using testing_support::report;

using CasesOfARun = testing_support::CaseRunTest;

TEST_F(CasesOfARun, DoesNotPassARecordedCaseThatIsMeasuredByAnotherProtocolNow) {
  record(3, 0.5);
  auto now = report(0.5);
  now.phases[Phase::kWhole].protocol["samples"] = std::int64_t{31};
  EXPECT_CALL(launcher_, launch(kKey, _, _)).WillRepeatedly(Return(now));
  EXPECT_EQ(gate_once().verdict, Verdict::kNoBaseline);
  EXPECT_EQ(exit_code_, ExitCode::kRefused);
}

TEST_F(CasesOfARun, SaysThatAWorkerCouldNotBeStarted) {
  record(3, 0.5);
  EXPECT_CALL(launcher_, launch(kKey, _, _))
      .WillRepeatedly(testing::Throw(SystemError("cannot start a process", "mend")));
  EXPECT_EQ(gate_once().verdict, Verdict::kError);
  EXPECT_EQ(exit_code_, ExitCode::kFail);
}

TEST_F(CasesOfARun, CountsWhateverGoesWrongWithACaseAsThatCasesError) {
  record(3, 0.5);
  EXPECT_CALL(launcher_, launch(kKey, _, _))
      .WillRepeatedly(testing::Throw(std::out_of_range("map::at")));
  EXPECT_EQ(gate_once().verdict, Verdict::kError);
  EXPECT_EQ(exit_code_, ExitCode::kFail);
  EXPECT_THAT(outcome_text_, HasSubstr("map::at"));
}

TEST_F(CasesOfARun, TurnsWhatNoResultsFileCanHoldIntoAnErrorOfItsCase) {
  record(3, 0.5);
  auto now = report(0.5);
  now.costs_s["prepare"] = std::nan("");
  EXPECT_CALL(launcher_, launch(kKey, _, _)).WillRepeatedly(Return(now));
  EXPECT_EQ(gate_once().verdict, Verdict::kError);
  EXPECT_EQ(exit_code_, ExitCode::kFail);
  EXPECT_CALL(launcher_, launch(kKey, _, _)).WillRepeatedly(Return(report(0.5)));
  EXPECT_EQ(gate_once().verdict, Verdict::kPass);
}

// Environment, arguments, host and workers may hold any bytes; JSON holds UTF-8 alone.
TEST_F(CasesOfARun, EndsWellWhateverBytesItIsTold) {
  record(3, 0.5);
  ::setenv("TORCH_X\xff\x01", "caf\xe9\u202e", 1);
  settings_.argv = {"perfgate", "--case=\xff"};
  settings_.suite.commit = "0123\xfe\nabc";
  settings_.selection.environment = "GTEST_FILTER=\xff";
  auto told = report(0.5);
  told.environment["la\xff"] = "\xc3\x28\x1b";
  told.tuning["algo\xff"] = "\xff";
  told.why_unfit = "\xff";
  EXPECT_CALL(launcher_, launch(kKey, _, _)).WillRepeatedly(Return(told));
  gate_once();
  ::unsetenv("TORCH_X\xff\x01");
  for (const auto& file : std::filesystem::directory_iterator(settings_.paths.results)) {
    const auto document = parse_strict(read_file(file.path()), file.path().string());
    EXPECT_NO_THROW((void)run_from_json(JsonCursor(document, "results")));
    EXPECT_EQ(document.dump().find("\ufffd"), std::string::npos) << "one way to replace";
  }
}

TEST_F(CasesOfARun, SaysOnlyPlainTextOfWhatFailed) {
  record(3, 0.5);
  auto crashed = testing_support::failed(WorkerStatus::kError);
  crashed.message = "caf\xe9\n::error::\x1b[2J" + std::string(3 << 20, 'x');
  EXPECT_CALL(launcher_, launch(kKey, _, _)).WillRepeatedly(Return(crashed));
  const Outcome outcome = gate_once();
  EXPECT_TRUE(is_plain(outcome.message));
  EXPECT_LT(outcome.message.size(), 5000U);
  EXPECT_TRUE(is_plain(outcome_text_));
  EXPECT_THAT(outcome_text_, HasSubstr("caf?\n| ::error::?[2J"));
  EXPECT_THAT(outcome_text_, HasSubstr("bytes more)"));
}

TEST_F(CasesOfARun, RefusesARunOfWhatTheEnvironmentSelects) {
  record(3, 0.5);
  settings_.selection.environment = "PERFGATE_CASE=demo/*";
  EXPECT_CALL(launcher_, launch(kKey, _, _)).WillRepeatedly(Return(report(0.5)));
  EXPECT_EQ(gate_once().verdict, Verdict::kPass);
  EXPECT_EQ(exit_code_, ExitCode::kRefused);
  EXPECT_THAT(printed_, HasSubstr("PARTIAL   the environment selects: PERFGATE_CASE=demo/*"));
}

TEST_F(CasesOfARun, KnowsBeforeMeasuringThatResultsCannotBeWritten) {
  std::ofstream(settings_.paths.results) << "a file where the folder should be";
  EXPECT_THROW(made()->require_writable(), SystemError);
}

TEST_F(CasesOfARun, RefusesABaselineFolderThatIsNotThere) {
  settings_.paths.baselines = folder_ / "nowhere";
  EXPECT_THROW(made(), UsageError);
}

TEST_F(CasesOfARun, RefusesABaselineThatWasCopiedFromAnotherModel) {
  record(1, 0.5);
  std::filesystem::copy(baseline_folder(), settings_.paths.baselines / "Other_CPU",
                        std::filesystem::copy_options::recursive);
  device_.model = "Other CPU";
  EXPECT_THROW(made(), UsageError);
}

TEST_F(CasesOfARun, CallsACaseOfTheBaselineThatNoTestDeclaresLost) {
  record(1, 0.5);
  auto case_run = started();
  const auto nothing = [](const std::string&) { return false; };
  const auto only_this = [](const std::string& key) { return key == kKey; };
  const auto is = [](const std::string& ours) {
    return [ours](const std::string& key) { return key.rfind(ours + "/", 0) == 0; };
  };
  case_run->look_for_lost(is("other"), nothing);
  EXPECT_EQ(case_run->finish(), ExitCode::kSkipped);
  case_run->look_for_lost(is("demo"), only_this);
  EXPECT_EQ(case_run->finish(), ExitCode::kSkipped);
  case_run->look_for_lost(is("demo"), nothing);
  EXPECT_EQ(case_run->finish(), ExitCode::kFail);
  ASSERT_EQ(case_run->run().outcomes.size(), 1U);
  EXPECT_EQ(case_run->run().outcomes[0].verdict, Verdict::kLost);
  EXPECT_EQ(case_run->run().outcomes[0].case_key, kKey);
  testing::internal::GetCapturedStdout();
}

TEST_F(CasesOfARun, WritesWhatWasMeasuredSoFarMarkedPartial) {
  EXPECT_CALL(launcher_, launch(kKey, _, _)).WillOnce(Return(report(0.5)));
  auto case_run = started();
  case_run->gate(kKey);
  testing::internal::GetCapturedStdout();
  const auto file = std::filesystem::directory_iterator(settings_.paths.results)->path();
  const auto document = parse_strict(read_file(file), file.string());
  const perfgate::Run run = run_from_json(JsonCursor(document, file.string()));
  EXPECT_TRUE(run.partial);
  EXPECT_EQ(run.outcomes.size(), 1U);
}

TEST_F(CasesOfARun, WritesAfterEveryCaseWhereThatCostsNothing) {
  EXPECT_CALL(launcher_, launch(kKey, _, _)).WillRepeatedly(Return(report(0.5)));
  auto case_run = started();
  disk_.finished = 0;
  for (int cases = 1; cases <= 3; ++cases) {
    case_run->gate(kKey);
    EXPECT_EQ(disk_.finished, cases);
  }
  testing::internal::GetCapturedStdout();
}

TEST_F(CasesOfARun, SpendsATwentiethOfTheRunOnWritingWhereThatIsSlow) {
  EXPECT_CALL(launcher_, launch(kKey, _, _)).WillRepeatedly([this] {
    now_ += Seconds(4);
    return report(0.5);
  });
  auto case_run = started();
  disk_.on_finished = [this] { now_ += Seconds(0.5); };
  disk_.finished = 0;
  for (const int written : {1, 1, 1, 2, 2, 2, 3}) {  // 10 s after the last time
    case_run->gate(kKey);
    EXPECT_EQ(disk_.finished, written);
  }
  case_run->finish();
  EXPECT_EQ(disk_.finished, 4);
  testing::internal::GetCapturedStdout();
}

TEST_F(CasesOfARun, BlamesATenantThatCameLaterForWhatLooksChanged) {
  record(3, 0.5);
  EXPECT_CALL(launcher_, launch(kKey, _, _)).WillRepeatedly([this] {
    device_.health_now.why_unfit = "1 other process on the GPU";
    return report(0.3);
  });
  const auto outcome = gate_once();
  EXPECT_EQ(outcome.verdict, Verdict::kMachineInvalid);
  EXPECT_THAT(outcome.message, HasSubstr("1 other process on the GPU"));
  EXPECT_EQ(exit_code_, ExitCode::kRefused);
}

TEST_F(CasesOfARun, LooksWhoIsOnTheDeviceWhenNoWorkerOfItsOwnIs) {
  record(3, 0.5);
  auto slow = machine();
  slow.ceilings[{"triad", Unit::kGbPerS}] = 5;
  bool worker_is_there = false;
  EXPECT_CALL(launcher_, launch(kMachineKey, _, _)).Times(3).WillRepeatedly([&] {
    worker_is_there = true;
    return slow;
  });
  EXPECT_CALL(launcher_, stop_workers).WillRepeatedly([&] { worker_is_there = false; });
  int looks = 0;
  device_.on_looking_for_others = [&] {
    EXPECT_FALSE(worker_is_there);
    ++looks;
  };
  gate_once();
  EXPECT_EQ(looks, 3);
}

}  // namespace
}  // namespace perfgate
