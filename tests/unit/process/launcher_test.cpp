#include "perfgate/process/launcher.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "fixtures/temporary_folder.h"
#include "perfgate/core/errors.h"
#include "perfgate/core/files.h"
#include "perfgate/process/subprocess.h"
#include "perfgate/process/worker_interface.h"

namespace perfgate {
namespace {

WorkerReport from(const ProcessResult& result) {
  return report_from(result, "demo/case", Seconds(60));
}

TEST(Launcher, TakesTheReportOfAWorkerThatEndedWell) {
  WorkerReport report;
  report.case_key = "demo/case";
  report.status = WorkerStatus::kMeasured;
  ProcessResult result;
  result.exit_code = 0;
  result.result = to_text(report);
  EXPECT_EQ(from(result).status, WorkerStatus::kMeasured);
}

TEST(Launcher, NamesTheSignalOfAWorkerThatCrashed) {
  ProcessResult result;
  result.signal = SIGSEGV;
  result.output = "first\nterminate called\n";
  const auto report = from(result);
  EXPECT_EQ(report.status, WorkerStatus::kError);
  EXPECT_EQ(report.message,
            "worker: signal 11 (Segmentation fault); it last said: terminate called");
}

TEST(Launcher, NamesTheTimeOutOfAWorkerThatHung) {
  ProcessResult result;
  result.timed_out = true;
  result.signal = SIGKILL;
  EXPECT_EQ(from(result).message, "worker: no result within 60 s: killed");
}

TEST(Launcher, NamesTheExitCodeOfAWorkerThatGaveUp) {
  ProcessResult result;
  result.exit_code = 2;
  result.output = "perfgate: no case\n";
  EXPECT_EQ(from(result).message, "worker: exit code 2; it last said: perfgate: no case");
}

TEST(Launcher, RepeatsAWorkersOwnErrorWithHowToMendIt) {
  ProcessResult result;
  result.exit_code = 2;
  result.output = "a warning\nperfgate: no GPU\n  mend: nvidia-smi\n";
  EXPECT_EQ(from(result).message,
            "worker: exit code 2; it last said: perfgate: no GPU; mend: nvidia-smi");
}

TEST(Launcher, DoesNotTrustAWorkerThatTalksNonsense) {
  ProcessResult result;
  result.exit_code = 0;
  for (const char* nonsense : {"", "{", "[]", R"({"case": 1})"}) {
    result.result = nonsense;
    EXPECT_EQ(from(result).status, WorkerStatus::kError) << nonsense;
    EXPECT_NE(from(result).message.find("the worker's report"), std::string::npos);
    EXPECT_NE(from(result).message.find("report this as a bug"), std::string::npos);
  }
}

// A program that waits to be told, in turn, that the device is free, what to do and that it may
// measure, reports, and ends a while later. It notes what happens to it.
class StartedWorker : public testing::Test {
 protected:
  StartedWorker() {
    program_ = folder_.path() / "worker";
    WorkerReport report;
    report.case_key = "demo/case";
    report.status = WorkerStatus::kMeasured;
    report.costs_s["measure"] = 1000;  // more than it takes, to be told from the process's own
    std::ofstream(program_) << "#!/bin/sh\ncd " << folder_.path() << R"(
echo $$ >> started
read -r told && echo free >> log
read -r request || exit 0
echo "$request" >> requests
echo asked >> log
read -r told || exit 0
if [ -e ended ]; then echo measures after an end >> log; else echo measures >> log; fi
rm -f ended
[ ! -e stays_before ] || sleep 0.5
sleep 0.05
if [ -e checks_until_twice ]; then
  what=$(cat checks_until_twice)
  rm checks_until_twice
  echo measures no more >&3
  for i in $(seq 500); do [ $(grep -c "^$what$" log) -lt 2 ] || break; sleep 0.01; done
fi
echo reported >> log
printf %s ')" << to_text(report)
                            << R"(' >&3
exec 3>&-
[ ! -e stays ] || sleep 1000
sleep 0.3
touch ended
[ ! -e badly ] || exit 9
)";
    std::filesystem::permissions(program_, std::filesystem::perms::owner_all);
  }

  [[nodiscard]] WorkerSettings settings(WorkerDevice device) const {
    return {program_, "packages", 60, {}, std::move(device)};
  }

  void note(const char* file, const char* what = "") const {
    std::ofstream(folder_.path() / file) << what << "\n";
  }

  // How many lines of a file there are, once there are `wanted`, or after 5 s.
  [[nodiscard]] int lines(const char* file, int wanted) const {
    int out = 0;
    for (int i = 0; i < 500 && out != wanted; ++i) {
      std::ifstream text(folder_.path() / file);
      out = static_cast<int>(
          std::count(std::istreambuf_iterator<char>(text), std::istreambuf_iterator<char>(), '\n'));
      usleep(10'000);
    }
    return out;
  }

  testing_support::TemporaryFolder folder_;
  std::filesystem::path program_;
};

TEST_F(StartedWorker, IsAskedOnItsStandardInput) {
  ProcessLauncher launcher(settings({"cpu", {}}));
  const auto report = launcher.launch({.case_key = "demo/case",
                                       .check = false,
                                       .inject_slowdown = 3,
                                       .ceilings = {{{"triad", Unit::kGbPerS}, 10}},
                                       .tuning = {{"algorithm", "7"}}});
  EXPECT_EQ(report.status, WorkerStatus::kMeasured) << report.message;
  const auto request = worker_request_from_text(read_file(folder_.path() / "requests"));
  EXPECT_EQ(request.case_key, "demo/case");
  EXPECT_FALSE(request.check);
  EXPECT_EQ(request.inject_slowdown, 3);
  EXPECT_EQ(request.ceilings.at({"triad", Unit::kGbPerS}), 10);
  EXPECT_EQ(request.tuning, (Tuning{{"algorithm", "7"}}));
  EXPECT_EQ(lines("started", 1), 1);
}

TEST_F(StartedWorker, IsReadyAheadWhereItsSettingAllows) {
  ProcessLauncher launcher(settings({"cuda", {}, /*load_ahead=*/true}));
  launcher.launch({.case_key = "demo/case"});
  EXPECT_EQ(lines("started", 3), 3);
  EXPECT_EQ(lines("requests", 1), 1);
  launcher.launch({.case_key = "demo/case"});
  EXPECT_EQ(lines("started", 4), 4);
  EXPECT_EQ(lines("requests", 2), 2);
}

TEST_F(StartedWorker, OpensTheDeviceAfterTheLastReportAndMeasuresAfterTheLastEnd) {
  ProcessLauncher launcher(settings({"cuda", {}, /*load_ahead=*/true}));
  launcher.launch({.case_key = "demo/case"});
  launcher.launch({.case_key = "demo/case"});
  const std::string log = read_file(folder_.path() / "log");
  const std::string one = "free\nasked\nmeasures\nreported\n";
  EXPECT_EQ(log.rfind(one + "free\nasked\nmeasures after an end\nreported\n", 0), 0U) << log;
}

TEST_F(StartedWorker, OpensTheDeviceWhileTheLastOneChecksItsNumbers) {
  note("checks_until_twice", "free");
  ProcessLauncher launcher(settings({"cuda", {}, /*load_ahead=*/true}));
  EXPECT_EQ(launcher.launch({.case_key = "demo/case"}).status, WorkerStatus::kMeasured);
  const std::string log = read_file(folder_.path() / "log");
  EXPECT_EQ(log.rfind("free\nasked\nmeasures\nfree\nreported\n", 0), 0U) << log;
}

TEST_F(StartedWorker, PreparesWhatIsExpectedWhileTheLastOneChecksAndMeasuresAfterItsEnd) {
  note("checks_until_twice", "asked");
  ProcessLauncher launcher(settings({"cuda", {}, /*load_ahead=*/true}));
  launcher.expect({.case_key = "demo/next"});
  launcher.launch({.case_key = "demo/case"});
  EXPECT_EQ(launcher.launch({.case_key = "demo/next"}).status, WorkerStatus::kMeasured);
  const std::string log = read_file(folder_.path() / "log");
  EXPECT_EQ(log.rfind("free\nasked\nmeasures\nfree\nasked\nreported\nmeasures after an end\n", 0),
            0U)
      << log;
  EXPECT_EQ(lines("requests", 2), 2);
  EXPECT_EQ(lines("started", 4), 4);
}

TEST_F(StartedWorker, ThatPreparedWhatNobodyAsksForIsReplaced) {
  note("checks_until_twice", "asked");
  ProcessLauncher launcher(settings({"cuda", {}, /*load_ahead=*/true}));
  launcher.expect({.case_key = "demo/expected"});
  launcher.launch({.case_key = "demo/case"});
  EXPECT_EQ(launcher.launch({.case_key = "demo/other"}).status, WorkerStatus::kMeasured);
  std::ifstream requests(folder_.path() / "requests");
  for (const char* key : {"demo/case", "demo/expected", "demo/other"}) {
    std::string line;
    std::getline(requests, line);
    EXPECT_EQ(worker_request_from_text(line).case_key, key);
  }
  EXPECT_EQ(lines("started", 5), 5);
}

// It was expected behind the launch before, which was not the last.
TEST_F(StartedWorker, IsExpectedBehindOneLaunchAlone) {
  ProcessLauncher launcher(settings({"cuda", {}, /*load_ahead=*/true}));
  launcher.expect({.case_key = "demo/next"});
  launcher.launch({.case_key = "demo/case"});
  launcher.launch({.case_key = "demo/next"});
  launcher.launch({.case_key = "demo/last"});
  EXPECT_EQ(lines("requests", 3), 3);
}

TEST_F(StartedWorker, IsNotWaitedForOnceItHasReported) {
  note("stays");
  ProcessLauncher launcher(settings({"cuda", {}, /*load_ahead=*/true}));
  EXPECT_EQ(launcher.launch({.case_key = "demo/case"}).status, WorkerStatus::kMeasured);
}

TEST_F(StartedWorker, ThatReportsAndEndsBadlyIsNamedInTheNextReport) {
  note("badly");
  ProcessLauncher launcher(settings({"cpu", {}}));
  EXPECT_EQ(launcher.launch({.case_key = "demo/case"}).environment.count("last_worker"), 0U);
  EXPECT_EQ(launcher.launch({.case_key = "demo/case"}).environment.at("last_worker"),
            "exit code 9");
}

TEST_F(StartedWorker, IsGoneAndSoIsTheNextWhenTheLauncherWithdraws) {
  note("stays");
  ProcessLauncher launcher(settings({"cuda", {}, /*load_ahead=*/true}));
  launcher.launch({.case_key = "demo/case"});
  ASSERT_EQ(lines("started", 3), 3);
  launcher.stop_workers();
  std::ifstream started(folder_.path() / "started");
  for (pid_t worker = 0; started >> worker;) {
    EXPECT_NE(kill(worker, 0), 0) << worker;
  }
}

TEST_F(StartedWorker, TimeItCannotTellIsTheProcesss) {
  const auto report = ProcessLauncher(settings({"cpu", {}})).launch({.case_key = "demo/case"});
  EXPECT_LT(report.costs_s.at("process"), -900);  // what the parent saw, less what it was told
}

// As of a build of another commit, say.
TEST(WorkerInterface, OfAnotherVersionIsNamedAndNotMisread) {
  const std::string other = std::to_string(kWorkerInterface + 1);
  const std::string begin = R"({"interface": )" + other;
  EXPECT_THROW(worker_request_from_text(begin + R"(, "request": {"what": "we do not know"}})"),
               OtherInterface);
  ProcessResult result;
  result.exit_code = 0;
  result.result = begin + R"(, "report": {"what": "we do not know"}})";
  EXPECT_EQ(from(result).message, "the worker's report: at \"/interface\": " + other +
                                      ", and this perfgate has interface " +
                                      std::to_string(kWorkerInterface));
}

TEST_F(StartedWorker, GetsTimeForWhatItsCaseIsPlannedToRun) {
  note("stays_before");
  auto briefly = settings({"cpu", {}});
  briefly.timeout_s = 0.1;
  EXPECT_NE(ProcessLauncher(briefly)
                .launch({.case_key = "demo/case"})
                .message.find("no result within 0.1 s"),
            std::string::npos);
  briefly.planned = [](const std::string& key) { return Seconds(key == "demo/case" ? 10 : 0); };
  EXPECT_EQ(ProcessLauncher(briefly).launch({.case_key = "demo/case"}).status,
            WorkerStatus::kMeasured);
}

TEST(WorkerRequest, ArrivesAsItWasSent) {
  const auto got = worker_request_from_text(to_text({.case_key = "demo/case",
                                                     .check = false,
                                                     .inject_slowdown = 3,
                                                     .tuning = {{"algorithm", "7"}},
                                                     .chrome_trace = "/tmp/demo/case.json"}));
  EXPECT_EQ(got.case_key, "demo/case");
  EXPECT_FALSE(got.check);
  EXPECT_EQ(got.inject_slowdown, 3);
  EXPECT_EQ(got.tuning, (Tuning{{"algorithm", "7"}}));
  EXPECT_EQ(got.chrome_trace, "/tmp/demo/case.json");
}

TEST(WorkerRequest, ThatIsNoneIsRefused) {
  for (const char* nonsense :
       {"", "{", "[]", R"({"case": "a/b"})",
        R"({"case": 1, "check": true, "inject_slowdown": 0, "ceilings": {}})"}) {
    EXPECT_THROW(worker_request_from_text(nonsense), UsageError) << nonsense;
  }
}

}  // namespace
}  // namespace perfgate
