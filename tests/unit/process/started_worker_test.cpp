// A worker that is started: what it is told, in which order, and what becomes of it.

#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <iterator>

#include "fixtures/temporary_folder.h"
#include "perfgate/core/files.h"
#include "perfgate/process/launcher.h"

namespace perfgate {
namespace {

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
    std::ofstream(folder_.path() / "report") << to_text(report);
    std::ofstream(program_) << "#!/bin/sh\ncd " << folder_.path() << R"(
echo $$ >> started
read -r told && echo free >> log
read -r request || exit 0
echo "$request" >> requests
echo asked >> log
case "$request" in *demo/refused*) cat report >&3; echo refused >> refused; exit 0 ;; esac
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
cat report >&3
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

  // Launches a case, and is back once the next worker was asked for this one.
  void have_prepared(ProcessLauncher& launcher, const char* case_key) const {
    note("checks_until_twice", "asked");
    launcher.expect({.case_key = case_key});
    launcher.launch({.case_key = "demo/case"});
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
  ProcessLauncher launcher(settings({"cuda", {}, /*load_ahead=*/true}));
  have_prepared(launcher, "demo/next");
  EXPECT_EQ(launcher.launch({.case_key = "demo/next"}).status, WorkerStatus::kMeasured);
  const std::string log = read_file(folder_.path() / "log");
  EXPECT_EQ(log.rfind("free\nasked\nmeasures\nfree\nasked\nreported\nmeasures after an end\n", 0),
            0U)
      << log;
  EXPECT_EQ(lines("requests", 2), 2);
  EXPECT_EQ(lines("started", 4), 4);
}

TEST_F(StartedWorker, ThatPreparedWhatNobodyAsksForIsReplaced) {
  ProcessLauncher launcher(settings({"cuda", {}, /*load_ahead=*/true}));
  have_prepared(launcher, "demo/expected");
  EXPECT_EQ(launcher.launch({.case_key = "demo/other"}).status, WorkerStatus::kMeasured);
  std::ifstream requests(folder_.path() / "requests");
  for (const char* key : {"demo/case", "demo/expected", "demo/other"}) {
    std::string line;
    std::getline(requests, line);
    EXPECT_EQ(worker_request_from_text(line).case_key, key);
  }
  EXPECT_EQ(lines("started", 5), 5);
}

TEST_F(StartedWorker, ThatReportsBeforeItMayMeasureHasReported) {
  ProcessLauncher launcher(settings({"cuda", {}, /*load_ahead=*/true}));
  have_prepared(launcher, "demo/refused");
  ASSERT_EQ(lines("refused", 1), 1);
  EXPECT_EQ(launcher.launch({.case_key = "demo/refused"}).status, WorkerStatus::kMeasured);
  EXPECT_EQ(lines("refused", 1), 1);  // by no second worker
  EXPECT_EQ(launcher.launch({.case_key = "demo/case"}).status, WorkerStatus::kMeasured);
}

TEST_F(StartedWorker, ThatPreparedIsGoneOnceTheLauncherHasWithdrawn) {
  ProcessLauncher launcher(settings({"cuda", {}, /*load_ahead=*/true}));
  have_prepared(launcher, "demo/next");
  launcher.stop_workers();
  EXPECT_EQ(launcher.launch({.case_key = "demo/next"}).status, WorkerStatus::kMeasured);
  EXPECT_EQ(lines("requests", 3), 3);
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

// As LibTorch unpacks a package, and is killed.
TEST_F(StartedWorker, LeavesNothingOfItsTemporaryFilesBehindWhenItIsKilled) {
  std::ofstream(program_)
      << "#!/bin/sh\n"
         "echo $TMPDIR > "
      << (folder_.path() / "tmpdir").string()
      << "\n"
         "mkdir $TMPDIR/torch-dir-1 && echo code > $TMPDIR/torch-dir-1/model.so\n"
         "kill -9 $$\n";
  std::string where;
  {
    ProcessLauncher launcher(settings({"cpu", {}}));
    EXPECT_EQ(launcher.launch({.case_key = "demo/case"}).status, WorkerStatus::kError);
    where = read_file(folder_.path() / "tmpdir");
    where.pop_back();
    EXPECT_TRUE(std::filesystem::exists(where));
    EXPECT_FALSE(std::filesystem::exists(where + "/torch-dir-1"));
  }
  EXPECT_FALSE(std::filesystem::exists(where));
}

}  // namespace
}  // namespace perfgate
