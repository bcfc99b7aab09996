// A case that gets slower from night to night, and which runs are nights.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "fixtures/case_run_fixture.h"
#include "fixtures/message_of.h"
#include "perfgate/run/night/night_history.h"

namespace perfgate {
namespace {

using testing::_;
using testing::HasSubstr;
using testing::Not;
using testing::Return;
using testing_support::kKey;
using testing_support::message_of;
using testing_support::report;
using testing_support::report_beside_somebody_else;

class Creeps : public testing_support::CaseRunTest {
 protected:
  Creeps() { record(3, 0.5); }
  void night_at(double utilisation) {
    EXPECT_CALL(launcher_, launch(kKey, _, _)).WillRepeatedly(Return(report(utilisation)));
    gate_once();
  }
  [[nodiscard]] std::filesystem::path path() const {
    return night_history_path(settings_.paths.history, device_.model);
  }
  [[nodiscard]] int nights() const {
    int out = 0;
    for_each_night(path(),
                   [&out](const CaseNight& night) { out += night.metrics.empty() ? 0 : 1; });
    return out;
  }
  // Until the gate says CREEP, 20 nights at most.
  int nights_until_found(double utilisation) {
    for (int night = 1; night <= 20; ++night) {
      night_at(utilisation);
      if (exit_code_ != ExitCode::kOk) {
        return night;
      }
    }
    return 0;
  }
};

TEST_F(Creeps, ASpoiltHistoryEndsNoNightWithoutItsSummary) {
  night_at(0.5);
  EXPECT_CALL(launcher_, launch(kKey, _, _)).WillOnce(Return(report(0.5)));
  auto case_run = started();
  case_run->gate(kKey);
  std::ofstream(path(), std::ios::app) << "{}\n";  // by somebody else, meanwhile
  EXPECT_THAT(message_of([&case_run] { case_run->finish(); }), HasSubstr(path().string()));
  EXPECT_THAT(testing::internal::GetCapturedStdout(), HasSubstr("1 PASS"));
  EXPECT_THAT(read_file(case_run->results()), HasSubstr("\"partial\": false"));
}

TEST_F(Creeps, SaysThatTheClockWasSetBackWhereTheHistoryHasANightThatIsToCome) {
  night_at(0.5);
  EXPECT_THAT(printed_, Not(HasSubstr("clock")));
  std::string line = read_file(path());
  const std::string before_year = R"("time":")";
  line.replace(line.find(before_year) + before_year.size(), 4, "9998");
  std::ofstream(path(), std::ios::app) << line;
  night_at(0.5);
  EXPECT_THAT(printed_, HasSubstr("has a night of 9998-"));
}

TEST_F(Creeps, FailThoughEachNightPasses) {
  for (int night = 0; night < 5; ++night) {
    night_at(0.5);
    EXPECT_EQ(exit_code_, ExitCode::kOk);
    EXPECT_THAT(printed_, Not(HasSubstr("CREEP")));
  }
  EXPECT_GT(nights_until_found(0.5 / 1.045), 1);
  EXPECT_EQ(exit_code_, ExitCode::kFail);
  EXPECT_THAT(printed_, HasSubstr("1 PASS"));
  EXPECT_THAT(printed_, HasSubstr("CREEP     demo/case/eager, utilisation: +4.5 % slower than its "
                                  "reference"));
  night_at(0.5 / 1.045);
  EXPECT_EQ(exit_code_, ExitCode::kFail) << "until somebody accepts it or mends it";
}

TEST_F(Creeps, AreNoneBelowTheirTolerance) { EXPECT_EQ(nights_until_found(0.5 / 1.009), 0); }

TEST_F(Creeps, BeginAnewWithAnotherReference) {
  ASSERT_GT(nights_until_found(0.5 / 1.045), 0);
  record(1, 0.5);
  night_at(0.5);
  EXPECT_EQ(exit_code_, ExitCode::kOk);
  EXPECT_THAT(printed_, Not(HasSubstr("CREEP")));
}

TEST_F(Creeps, AreOverOnceTheCaseIsBack) {
  for (int night = 0; night < 5; ++night) {
    night_at(0.5);
  }
  ASSERT_GT(nights_until_found(0.5 / 1.045), 0);
  for (int night = 0; night < 10; ++night) {
    night_at(0.5);
  }
  EXPECT_EQ(exit_code_, ExitCode::kOk);
}

TEST_F(Creeps, AreOfNightsAlone) {
  EXPECT_EQ(nights(), 0) << "a refresh is none";
  night_at(0.5);
  EXPECT_EQ(nights(), 1);
  settings_.inject_slowdown = 3;
  night_at(0.5);
  settings_.inject_slowdown = 0;
  settings_.selection.case_glob = "demo/*";
  night_at(0.5);
  settings_.selection.case_glob.clear();
  settings_.selection.environment = "GTEST_FILTER=x";
  night_at(0.5);
  settings_.selection.environment.clear();
  EXPECT_CALL(launcher_, launch(kKey, _, _)).WillRepeatedly(Return(report_beside_somebody_else()));
  gate_once();
  EXPECT_EQ(nights(), 1);
  night_at(0.5);
  EXPECT_EQ(nights(), 2);
}

TEST_F(Creeps, AreRefusedBeforeAnHourIsSpentWhereTheHistoryIsMalformed) {
  night_at(0.5);
  std::ofstream(path(), std::ios::app) << "{}\n";
  EXPECT_THAT(message_of([this] { made(); }), HasSubstr("line 2"));
}

TEST_F(Creeps, SayThatALineWasTorn) {
  night_at(0.5);
  std::ofstream(path(), std::ios::app) << "{\"schema";
  night_at(0.5);
  EXPECT_EQ(exit_code_, ExitCode::kOk);
  EXPECT_THAT(printed_, HasSubstr("its unfinished line was cut off, \"{\"schema\""));
  EXPECT_EQ(nights(), 2);
}

}  // namespace
}  // namespace perfgate
