// A night's canaries through the whole gate: two cases, of which each day has one injected and one
// repeated, since every case is a canary.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "fixtures/case_run_fixture.h"
#include "perfgate/report/results_json.h"
#include "perfgate/run/night/canary_round.h"
#include "perfgate/run/night/night_history.h"

namespace perfgate {
namespace {

using testing::_;
using testing::HasSubstr;
using testing::Not;
using testing_support::kKey;
using testing_support::report;

constexpr const char* kOther = "demo/other/eager";
constexpr double kUsual = 0.5;

WorkerReport report_of(const std::string& key, double utilisation) {
  auto out = report(utilisation);
  out.case_key = key;
  return out;
}

class Canaries : public testing_support::CaseRunTest {
 protected:
  Canaries() {
    settings_.refresh.wanted = true;
    respond([](const WorkerRequest& request) { return report_of(request.case_key, kUsual); });
    for (int session = 0; session < 3; ++session) {
      run_both();
    }
    settings_.refresh.wanted = false;
    settings_.canaries = 100;
  }

  void respond(const std::function<WorkerReport(const WorkerRequest&)>& answer) {
    for (const char* key : {kKey, kOther}) {
      EXPECT_CALL(launcher_, launch(key, _, _)).WillRepeatedly([this, answer] {
        return answer(launcher_.last_request);
      });
    }
  }

  // Slower by what is injected, times `shown`.
  static WorkerReport injected(const WorkerRequest& request, double shown = 1) {
    auto out = report_of(request.case_key, kUsual / (1 + shown * request.inject_slowdown / 100));
    if (request.inject_slowdown > 0) {
      out.phases[Phase::kWhole].injected_percent = request.inject_slowdown;
    }
    return out;
  }

  // A night of both cases.
  perfgate::Run run_both() {
    auto case_run = started();
    case_run->gate(kKey);
    case_run->gate(kOther);
    case_run->behind_cases();
    exit_code_ = case_run->finish();
    printed_ = testing::internal::GetCapturedStdout();
    return case_run->run();
  }

  static const Canary& of_kind(const perfgate::Run& run, bool with_injection) {
    return run.canaries.at(run.canaries.at(0).injection.has_value() == with_injection ? 0 : 1);
  }

  // The next launches that inject nothing are the night's first two, and then the repeat's.
  std::function<WorkerReport(const WorkerRequest&)> repeated_at(double utilisation) {
    return [this, utilisation](const WorkerRequest& request) {
      const bool repeated = request.inject_slowdown == 0 && ++launches_ > 2;
      return repeated ? report_of(request.case_key, utilisation) : injected(request);
    };
  }
  int launches_ = 0;
};

TEST_F(Canaries, AreFoundWhereInjectedAndUnchangedWhereRepeated) {
  respond([](const WorkerRequest& request) { return injected(request); });
  const perfgate::Run run = run_both();
  EXPECT_EQ(exit_code_, ExitCode::kOk);
  ASSERT_EQ(run.canaries.size(), 2U);
  EXPECT_EQ(of_kind(run, true).result, CanaryResult::kFound);
  EXPECT_EQ(of_kind(run, false).result, CanaryResult::kUnchanged);
  EXPECT_EQ(of_kind(run, false).outcome.reports.size(), 1U);  // a screening process, as any case
  EXPECT_EQ(of_kind(run, true).outcome.device_id, device_.device_id);
  EXPECT_THAT(printed_, HasSubstr("canaries  1 of 1 injected slowdown found, 1 of 1 repeat "
                                  "unchanged\n"));
  EXPECT_THAT(printed_, Not(HasSubstr("UNFIT")));
}

TEST_F(Canaries, GetATwentiethMoreThanHasToBeFound) {
  respond([](const WorkerRequest& request) { return injected(request); });
  const perfgate::Run run = run_both();
  const Canary& canary = of_kind(run, true);
  EXPECT_NEAR(canary.injection->least, canary.injection->mde, 1e-9)
      << "the only one of its night may be missed as often as a slowdown of the MDE";
  EXPECT_NEAR(injected_share(canary.outcome, Phase::kWhole).value(), 1.05 * canary.injection->least,
              1e-9);
}

TEST_F(Canaries, AreNoOutcomesOfTheNight) {
  respond([](const WorkerRequest& request) { return injected(request); });
  const perfgate::Run run = run_both();
  ASSERT_EQ(run.outcomes.size(), 2U);
  EXPECT_EQ(run.outcomes[0].verdict, Verdict::kPass);
  EXPECT_EQ(run.outcomes[1].verdict, Verdict::kPass);
  EXPECT_THAT(printed_, HasSubstr("2 PASS   0 REGRESSED"));
}

TEST_F(Canaries, ThatAreMissedMakeTheGateUnfit) {
  respond([](const WorkerRequest& request) { return injected(request, /*shown=*/0); });
  const perfgate::Run run = run_both();
  EXPECT_EQ(exit_code_, ExitCode::kRefused);
  EXPECT_EQ(of_kind(run, true).result, CanaryResult::kMissed);
  EXPECT_EQ(of_kind(run, false).result, CanaryResult::kUnchanged);
  EXPECT_THAT(printed_, HasSubstr("canaries  0 of 1 injected slowdown found, 1 of 1 repeat "
                                  "unchanged\n  UNFIT "));
}

TEST_F(Canaries, ThatAlarmThoughNothingChangedMakeTheGateUnfit) {
  respond(repeated_at(0.3));
  const perfgate::Run run = run_both();
  EXPECT_EQ(exit_code_, ExitCode::kRefused);
  EXPECT_EQ(of_kind(run, false).result, CanaryResult::kAlarm);
  EXPECT_EQ(of_kind(run, true).result, CanaryResult::kFound);
  EXPECT_THAT(printed_, HasSubstr("UNFIT"));
}

TEST_F(Canaries, LeaveNothingInHistoryOrBaseline) {
  respond([](const WorkerRequest& request) { return injected(request); });
  run_both();
  const auto recorded = recorded_files();
  respond(repeated_at(0.9));
  EXPECT_EQ(of_kind(run_both(), false).outcome.verdict, Verdict::kImproved);
  const auto path = night_history_path(settings_.paths.history, device_.model);
  int lines = 0;
  for_each_night(path, [&lines](const CaseNight& night) {
    ++lines;
    EXPECT_EQ(night.verdict, Verdict::kPass);
    EXPECT_THAT(night.improvement, testing::IsEmpty());
  });
  EXPECT_EQ(lines, 4) << "two nights of two cases";
  EXPECT_EQ(recorded_files(), recorded);
}

TEST_F(Canaries, DoNotMakeARegressionAnythingLess) {
  respond([](const WorkerRequest& request) {
    return request.case_key == kKey ? report_of(kKey, 0.3) : injected(request, /*shown=*/0);
  });
  const perfgate::Run run = run_both();
  EXPECT_EQ(exit_code_, ExitCode::kFail);
  EXPECT_EQ(run.outcomes[0].verdict, Verdict::kRegressed);
  ASSERT_EQ(run.canaries.size(), 1U);  // what regressed is none
  EXPECT_EQ(run.canaries[0].outcome.case_key, kOther);
}

TEST_F(Canaries, AreInTheResultsFile) {
  respond([](const WorkerRequest& request) { return injected(request, /*shown=*/0); });
  auto case_run = started();
  case_run->gate(kKey);
  case_run->gate(kOther);
  case_run->behind_cases();
  case_run->finish();
  testing::internal::GetCapturedStdout();
  const auto file = case_run->results();
  const auto document = parse_strict(read_file(file), file.string());
  const perfgate::Run run = run_from_json(JsonCursor(document, file.string()));
  ASSERT_EQ(run.canaries.size(), 2U);
  EXPECT_EQ(of_kind(run, true).result, CanaryResult::kMissed);
  EXPECT_EQ(run.exit_code, ExitCode::kRefused);
}

TEST_F(Canaries, AreNoneUnlessAskedFor) {
  settings_.canaries = 0;
  respond([](const WorkerRequest& request) { return injected(request); });
  EXPECT_TRUE(run_both().canaries.empty());
  EXPECT_THAT(printed_, Not(HasSubstr("canaries")));
}

TEST_F(Canaries, AreAnAlarmWhereAWorkerCannotBeStartedAnyMore) {
  respond([this](const WorkerRequest& request) {
    return ++launches_ > 2 ? throw SystemError("cannot start a process", "mend")
                           : injected(request);
  });
  const perfgate::Run run = run_both();
  EXPECT_EQ(exit_code_, ExitCode::kRefused);
  EXPECT_EQ(run.canaries.at(0).result, CanaryResult::kAlarm);
  EXPECT_THAT(printed_, HasSubstr("cannot start a process"));
}

}  // namespace
}  // namespace perfgate
