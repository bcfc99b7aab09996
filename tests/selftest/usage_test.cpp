// Bad input, interruptions and exit codes, as a user meets them.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <functional>
#include <set>
#include <thread>

#include "gate_run.h"
#include "perfgate/baseline/store.h"
#include "perfgate/core/files.h"

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX leaves it to us

namespace perfgate::selftest {
namespace {

namespace fs = std::filesystem;

class Usage : public testing::Test {
 protected:
  using Wait = std::function<void()>;

  static Wait seconds(double length) {
    return [length] { std::this_thread::sleep_for(std::chrono::duration<double>(length)); };
  }
  // Until a file contains a text; 60 s at most.
  static Wait until(const fs::path& file, const std::string& text) {
    return [=] {
      for (int i = 0; i < 600; ++i) {
        seconds(0.1)();
        if (fs::exists(file) && read_file(file).find(text) != std::string::npos) {
          return;
        }
      }
    };
  }

  // Starts the gate, waits, and sends it a signal. Returns its wait status.
  int run_and_signal(const std::vector<std::string>& flags, int signal_number, const Wait& wait) {
    std::vector<std::string> words = folder_.command(flags);
    std::vector<char*> arguments;
    for (auto& word : words) {
      arguments.push_back(word.data());
    }
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    pid_t child = 0;
    EXPECT_EQ(posix_spawn(&child, arguments[0], &actions, nullptr, arguments.data(), environ), 0);
    posix_spawn_file_actions_destroy(&actions);
    wait();
    kill(child, signal_number);
    int status = 0;
    waitpid(child, &status, 0);
    return status;
  }

  // Whether any process's command line names this test's folder.
  [[nodiscard]] bool somebody_is_left() const {
    for (const auto& entry : fs::directory_iterator("/proc")) {
      std::ifstream stream(entry.path() / "cmdline", std::ios::binary);
      const std::string words{std::istreambuf_iterator<char>(stream), {}};
      if (words.find("replay_gate") != std::string::npos &&
          words.find("--worker_pipe") != std::string::npos) {
        return true;
      }
    }
    return false;
  }

  GateFolder folder_{PERFGATE_REPLAY_GATE};
};

TEST_F(Usage, AnUnknownFlagFamilyCaseOrDeviceIsAUsageErrorThatSaysWhatIsPossible) {
  EXPECT_EQ(folder_.run({"--refesh"}), 2);
  EXPECT_EQ(folder_.run({"--gtest_fliter=x"}), 2);
  EXPECT_EQ(folder_.run({"--case=nothing/*"}), 2);
  EXPECT_NE(folder_.printed().find("--list_cases"), std::string::npos);
  EXPECT_EQ(folder_.run({"--family=repaly"}), 2);
  EXPECT_NE(folder_.printed().find("misbehaving, on_demand, refusing, replay, searching"),
            std::string::npos);
  EXPECT_EQ(folder_.run({"--device=cuda:7"}), 2);
  EXPECT_EQ(folder_.run({"--worker=replay/none"}), 2);
}

TEST_F(Usage, AMalformedBaselineIsNamedAndNeverOverwritten) {
  ASSERT_EQ(folder_.run({"--refresh", "--case=replay/sdpa"}), 0);
  const auto file = folder_.baseline_file();
  const auto good = read_file(file);
  const auto broken = good.substr(0, good.size() / 2);
  std::ofstream(file) << broken;
  for (const char* flag : {"--require_baseline", "--refresh"}) {
    EXPECT_EQ(folder_.run({"--case=replay/sdpa", flag}), 2);
    EXPECT_NE(folder_.printed().find(file.string()), std::string::npos) << folder_.printed();
    EXPECT_EQ(read_file(file), broken);
  }
}

TEST_F(Usage, AFolderThatIsNotThereOrNoFolderIsAnError) {
  EXPECT_EQ(folder_.run({"--case=replay/sdpa", "--baselines=/no/such/folder"}), 2);
  EXPECT_EQ(folder_.run({"--case=replay/sdpa", "--results=/proc/nowhere"}), 2);
}

TEST_F(Usage, AFamilyInWhichNothingCanRunIsSkipped) {
  EXPECT_EQ(folder_.run({"--family=refusing"}), 77);
  EXPECT_EQ(folder_.run({"--family=refusing", "--case=replay/*"}), 77);
}

TEST_F(Usage, AMissingBaselineFailsOnlyWhereOneIsRequired) {
  EXPECT_EQ(folder_.run({"--case=replay/sdpa"}), 77);  // nothing was judged
  EXPECT_EQ(folder_.run({"--case=replay/sdpa", "--require_baseline"}), 1);
}

TEST_F(Usage, ARecordedCaseThatIsGoneIsLost) {
  ASSERT_EQ(folder_.run({"--refresh", "--family=replay"}), 0) << folder_.printed();
  auto text = read_file(folder_.baseline_file());
  text.replace(text.find("replay/sdpa"), 11, "replay/gone");
  std::ofstream(folder_.baseline_file()) << text;
  EXPECT_EQ(folder_.run({"--family=replay"}), 1);
  EXPECT_EQ(folder_.outcome("replay/gone").verdict, Verdict::kLost);
  EXPECT_EQ(folder_.outcome("replay/sdpa").verdict, Verdict::kNoBaseline);
}

TEST_F(Usage, WhatIsNoNightsRunsWhenItIsAskedForAndIsNeverLost) {
  for (const char* flag : {"--case=on_demand/asked_for", "--case=on_demand/made/7"}) {
    ASSERT_EQ(folder_.run({"--refresh", flag}), 0) << folder_.printed();
  }
  EXPECT_EQ(folder_.run({"--family=on_demand"}), 77) << folder_.printed();
  const auto night = folder_.results().outcomes;
  ASSERT_EQ(night.size(), 1U) << folder_.printed();
  EXPECT_EQ(night[0].case_key, "on_demand/nightly");
  EXPECT_EQ(folder_.run({"--family=on_demand", "--case=*"}), 0) << folder_.printed();
  EXPECT_EQ(folder_.results().outcomes.size(), 2U);
  EXPECT_EQ(folder_.run({"--case=on_demand/made/8"}), 2);
}

TEST_F(Usage, WhatACaseSearchedForIsKeptForLaterWorkersAndRuns) {
  const std::string select = "--case=searching/tuned";
  std::set<std::string> searchers;
  for (const auto& flags : {std::vector<std::string>{select, "--refresh"}, {select}}) {
    ASSERT_EQ(folder_.run(flags), 0) << folder_.printed();
    for (const auto& report : folder_.outcome("searching/tuned").reports) {
      searchers.insert(report.tuning.at("found_by"));
    }
  }
  EXPECT_EQ(searchers.size(), 1U);
}

TEST_F(Usage, CtrlCKeepsWhatWasMeasuredMarksItPartialAndLeavesNobodyBehind) {
  // "crash" fails at once, "hang" keeps the run busy until the signal comes.
  const int status = run_and_signal({"--case=misbehaving/[ch]*"}, SIGINT, seconds(4));
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 128 + SIGINT);
  const perfgate::Run run = folder_.results();
  EXPECT_TRUE(run.partial);
  EXPECT_EQ(run.outcomes.size(), 1U);
  EXPECT_FALSE(somebody_is_left());
}

TEST_F(Usage, CtrlCInARefreshRecordsTheCasesThatWereWhole) {
  // "sdpa" is played at once, "hang" keeps the run busy until the signal comes.
  const auto progress = folder_.path() / "progress";
  const int status = run_and_signal({"--refresh", "--case=*/[hs][ad][np][ga]",
                                     "--worker_timeout=100", "--progress=" + progress.string()},
                                    SIGINT, until(progress, "recorded"));
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 128 + SIGINT);
  EXPECT_TRUE(folder_.results().partial);
  const auto cases = folder_.baseline().cases;
  ASSERT_EQ(cases.size(), 1U);
  EXPECT_EQ(cases.begin()->first, "replay/sdpa");
  EXPECT_FALSE(somebody_is_left());
}

TEST_F(Usage, AKilledParentTakesItsWorkerAlong) {
  const int status = run_and_signal({"--case=misbehaving/hang"}, SIGKILL, seconds(2.5));
  EXPECT_TRUE(WIFSIGNALED(status));
  for (int i = 0; i < 50 && somebody_is_left(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  EXPECT_FALSE(somebody_is_left());
}

TEST_F(Usage, KillingARefreshAtAnyMomentLeavesAWholeBaseline) {
  ASSERT_EQ(folder_.run({"--refresh", "--case=replay/gemv*"}), 0);
  for (int i = 0; i < 8; ++i) {
    run_and_signal({"--refresh", "--case=replay/gemv*"}, SIGKILL, seconds(0.6 + 0.7 * i));
    const auto baseline = folder_.baseline();  // throws when it is not whole
    EXPECT_GE(baseline.sessions.size(), 1U);
    EXPECT_EQ(baseline.cases.size(), 3U);
  }
  EXPECT_EQ(folder_.run({"--refresh", "--case=replay/gemv*"}), 0) << folder_.printed();
}

TEST_F(Usage, AnEmptyNightIsAnError) {
  EXPECT_EQ(folder_.run({"--merge"}), 2);
  fs::create_directories(folder_.results_folder());
}

TEST_F(Usage, MergesANightFromItsFamilies) {
  const auto results = "--results=" + (folder_.path() / "night").string();
  EXPECT_EQ(folder_.run({"--case=replay/sdpa", results}), 77);
  EXPECT_EQ(folder_.run({"--case=misbehaving/wrong", results}), 1);
  EXPECT_EQ(folder_.run({"--merge", results}), 1);
  EXPECT_NE(folder_.printed().find("1 WRONG"), std::string::npos) << folder_.printed();
  EXPECT_NE(folder_.printed().find("1 NO_BASELINE"), std::string::npos) << folder_.printed();
}

TEST_F(Usage, TheFirstOfSeveralShardsLooksForLostCases) {
  ASSERT_EQ(folder_.run({"--refresh", "--case=replay/sdpa"}), 0) << folder_.printed();
  auto text = read_file(folder_.baseline_file());
  text.replace(text.find("replay/sdpa"), 11, "replay/gone");
  std::ofstream(folder_.baseline_file()) << text;
  const auto shard = [this](const char* index) {
    return folder_.run({"--family=replay"}, {{"GTEST_TOTAL_SHARDS", "2"},
                                             {"GTEST_SHARD_INDEX", index},
                                             {"PERFGATE_SHARDED_BY", "a test"}});
  };
  EXPECT_EQ(shard("0"), 1);
  EXPECT_EQ(folder_.outcome("replay/gone").verdict, Verdict::kLost);
  EXPECT_EQ(shard("1"), 77);
}

// A stray one would end every test of a night at once, and green.
TEST_F(Usage, WhatDoesOneThingAndEndsHasNoTwinInTheEnvironment) {
  for (const char* name : {"PERFGATE_LIST_CASES", "PERFGATE_SHOW_DEVICE", "PERFGATE_LIST_PACKAGES",
                           "PERFGATE_RESOURCE_SPEC", "PERFGATE_MERGE"}) {
    EXPECT_EQ(folder_.run({"--case=misbehaving/wrong"}, {{name, "true"}}), 1) << name;
  }
  EXPECT_EQ(folder_.run({"--case=misbehaving/wrong"}, {{"PERFGATE_EXPORT", "junit:/dev/null"}}), 1);
}

TEST_F(Usage, WhatTheEnvironmentSelectsIsSaidAndNoNight) {
  for (int session = 0; session < 3; ++session) {
    ASSERT_EQ(folder_.run({"--refresh", "--case=replay/gemv_16384"}), 0) << folder_.printed();
  }
  EXPECT_EQ(folder_.run({"--case=replay/gemv_16384"}), 0) << folder_.printed();
  const std::map<std::string, std::string> stray = {{"PERFGATE_CASE", "replay/gemv_16384"}};
  EXPECT_EQ(folder_.run({}, stray), 3) << folder_.printed();
  EXPECT_NE(folder_.printed().find("PARTIAL   the environment selects: "
                                   "PERFGATE_CASE=replay/gemv_16384"),
            std::string::npos)
      << folder_.printed();
  EXPECT_TRUE(folder_.results().partial);
  EXPECT_EQ(folder_.run({"--case=replay/gemv_16384"}, stray), 0);  // said on the command line
  auto meant = stray;
  meant["PERFGATE_CALLER"] = "a test";
  EXPECT_EQ(folder_.run({}, meant), 0);
  for (const auto& [name, value] :
       {std::pair("GTEST_FILTER", "*gemv*"), std::pair("PERFGATE_DEVICE", "cpu"),
        std::pair("GTEST_TOTAL_SHARDS", "1")}) {
    EXPECT_EQ(
        folder_.run({"--case=replay/gemv_16384"}, {{name, value}, {"GTEST_SHARD_INDEX", "0"}}), 3)
        << name;
  }
}

TEST_F(Usage, WhatTheEnvironmentLeavesNothingOfIsNotSkipped) {
  EXPECT_EQ(folder_.run({"--family=replay"}, {{"PERFGATE_CASE", "searching/*"}}), 3);
  EXPECT_NE(folder_.printed().find("PERFGATE_CASE=searching/*"), std::string::npos);
  EXPECT_EQ(folder_.run({"--case=replay/sdpa"}, {{"TESTBRIDGE_TEST_ONLY", "*sdpa"}}), 3);
}

TEST_F(Usage, WhatRunsNothingIsAnError) {
  for (const char* flag : {"--gtest_repeat=0", "--gtest_repeat=abc", "--gtest_filter"}) {
    EXPECT_EQ(folder_.run({"--case=replay/sdpa", flag}), 2) << flag;
  }
  EXPECT_EQ(folder_.run({"--case=replay/sdpa"}, {{"GTEST_REPEAT", "0"}}), 2);
  EXPECT_EQ(folder_.run({"--case=replay/sdpa", "--case=replay/lstm"}), 2);
  EXPECT_EQ(folder_.run({"--case=replay/sdpa", "--inject_slowdown=nan"}), 2);
}

TEST_F(Usage, ALostCaseIsFoundByASelectionThatMeansIt) {
  ASSERT_EQ(folder_.run({"--refresh", "--case=replay/sdpa"}), 0) << folder_.printed();
  auto text = read_file(folder_.baseline_file());
  text.replace(text.find("replay/sdpa"), 11, "replay/gone");
  std::ofstream(folder_.baseline_file()) << text;
  EXPECT_EQ(folder_.run({"--case=replay/g*"}), 1) << folder_.printed();
  EXPECT_EQ(folder_.run({"--case=replay/gemv*"}), 77) << folder_.printed();
}

TEST_F(Usage, AcceptsWhatTheEnvironmentNames) {
  ASSERT_EQ(folder_.run({"--refresh", "--case=replay/sdpa"}), 0) << folder_.printed();
  EXPECT_EQ(folder_.run({"--refresh", "--case=replay/sdpa"},
                        {{"PERFGATE_ACCEPT", "replay/mm*:one\nreplay/sdpa:two"}}),
            0)
      << folder_.printed();
  EXPECT_EQ(folder_.baseline().cases.at("replay/sdpa").epochs.back().reason, "two");
}

TEST_F(Usage, ALinkThatLeadsNowhereIsNoMissingBaseline) {
  ASSERT_EQ(folder_.run({"--refresh", "--case=replay/sdpa"}), 0) << folder_.printed();
  const auto file = folder_.baseline_file();
  fs::remove(file);
  fs::create_symlink("/nowhere/x.json", file);
  EXPECT_EQ(folder_.run({"--case=replay/sdpa"}), 2) << folder_.printed();
}

TEST_F(Usage, AFilterThatMatchesNoTestIsAnError) {
  EXPECT_EQ(folder_.run({"--family=replay"}, {{"GTEST_FILTER", "Gemmv*"}}), 2);
  EXPECT_NE(folder_.printed().find("no test matches the filter \"Gemmv*\""), std::string::npos);
  EXPECT_EQ(folder_.run({"--family=replay", "--gtest_filter=-*"}), 2);
  EXPECT_EQ(folder_.run({"--family=refusing", "--gtest_filter=*sdpa*"}), 77);
}

TEST_F(Usage, AFamilyThatVanishedIsLostForTheFirstFamilyAndForWholeRuns) {
  ASSERT_EQ(folder_.run({"--refresh", "--case=replay/sdpa"}), 0) << folder_.printed();
  auto text = read_file(folder_.baseline_file());
  text.replace(text.find("replay/sdpa"), 11, "gone/sdpa");
  std::ofstream(folder_.baseline_file()) << text;
  EXPECT_EQ(folder_.run({"--family=replay"}), 77) << folder_.printed();
  EXPECT_EQ(folder_.run({"--family=misbehaving", "--worker_timeout=1"}), 1);
  EXPECT_EQ(folder_.outcome("gone/sdpa").verdict, Verdict::kLost);
}

TEST_F(Usage, RecordsOnlyWhatIsMissingWhereThatIsAskedFor) {
  ASSERT_EQ(folder_.run({"--refresh", "--case=replay/gemv*"}), 0);
  EXPECT_EQ(folder_.run({"--list_cases", "--missing", "--family=replay"}), 0);
  EXPECT_EQ(folder_.printed().find("replay/gemv"), std::string::npos) << folder_.printed();
  EXPECT_NE(folder_.printed().find("replay/sdpa"), std::string::npos) << folder_.printed();
  EXPECT_EQ(folder_.run({"--refresh", "--missing", "--family=replay"}), 0) << folder_.printed();
  for (const auto& [key, record] : folder_.baseline().cases) {
    EXPECT_EQ(record.epochs.back().anchor.size(), 1U) << key;
  }
  EXPECT_EQ(folder_.run({"--refresh", "--missing", "--family=replay"}), 77) << folder_.printed();
}

TEST_F(Usage, ExportsANightAndRefusesAFormatThatIsNotThere) {
  const auto results = "--results=" + (folder_.path() / "night").string();
  const auto file = folder_.path() / "night.xml";
  ASSERT_EQ(folder_.run({"--case=misbehaving/wrong", results}), 1);
  EXPECT_EQ(folder_.run({"--export=junit:" + file.string(), results}), 0) << folder_.printed();
  EXPECT_NE(read_file(file).find("<failure message=\"WRONG"), std::string::npos);
  EXPECT_EQ(folder_.run({"--export=xunit:" + file.string(), results}), 2);
  EXPECT_NE(folder_.printed().find("junit, markdown"), std::string::npos) << folder_.printed();
  EXPECT_EQ(folder_.run({"--export=junit:" + (folder_.path() / "no/x").string(), results}), 2);
}

TEST_F(Usage, ExportsOverNothingButRegularFilesThatAreNotItsOwn) {
  const auto results = "--results=" + (folder_.path() / "night").string();
  ASSERT_EQ(folder_.run({"--refresh", "--case=replay/sdpa", results}), 0);
  const auto baseline = read_file(folder_.baseline_file());
  const auto exported = [&](const fs::path& file) {
    return folder_.run({"--export=junit:" + file.string(), results});
  };
  EXPECT_EQ(exported("/dev/null"), 2);
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_NE(folder_.printed().find("/dev/null, which is no regular file"), std::string::npos);
  fs::create_symlink(folder_.baseline_file(), folder_.path() / "link.xml");
  EXPECT_EQ(exported(folder_.path() / "link.xml"), 2);
  EXPECT_EQ(exported(folder_.baseline_file()), 2);
  EXPECT_NE(folder_.printed().find("which perfgate reads"), std::string::npos);
  EXPECT_EQ(exported(folder_.path() / "night" / "junit.json"), 2);
  EXPECT_EQ(read_file(folder_.baseline_file()), baseline);
  EXPECT_EQ(exported(folder_.path() / "night.xml"), 0) << folder_.printed();
}

// A disk that is full behind standard output, or a reader that went away.
TEST_F(Usage, WhatStandardOutputDidNotTakeIsAnError) {
  auto command = folder_.command({"--list_cases"});
  std::string text;
  for (const auto& word : command) {
    text += "'" + word + "' ";
  }
  const int status = std::system((text + "> /dev/full 2> /dev/null").c_str());
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 2);
}

TEST_F(Usage, AHangUpOrABrokenPipeKeepsWhatWasMeasured) {
  for (const int signal_number : {SIGHUP, SIGQUIT, SIGPIPE}) {
    fs::remove_all(folder_.results_folder());
    const int status = run_and_signal({"--case=misbehaving/[ch]*"}, signal_number, seconds(4));
    ASSERT_TRUE(WIFEXITED(status)) << signal_number;
    EXPECT_EQ(WEXITSTATUS(status), 128 + signal_number);
    EXPECT_TRUE(folder_.results().partial);
    EXPECT_EQ(folder_.results().outcomes.size(), 1U);
    EXPECT_FALSE(somebody_is_left());
  }
}

TEST_F(Usage, ADeviceLockThatIsALinkOrAFifoIsRefusedAtOnce) {
  const auto locks = folder_.path() / "locks";
  fs::create_directory(locks);
  const std::map<std::string, std::string> there = {{"PERFGATE_LOCK_DIR", locks.string()}};
  ASSERT_EQ(folder_.run({"--case=replay/sdpa"}, there), 77);
  const auto lock = fs::directory_iterator(locks)->path();
  fs::remove(lock);
  fs::create_symlink("elsewhere", lock);
  EXPECT_EQ(folder_.run({"--case=replay/sdpa"}, there), 2);
  EXPECT_NE(folder_.printed().find(lock.string() + " is a symbolic link"), std::string::npos);
  EXPECT_FALSE(fs::exists(locks / "elsewhere"));
  fs::remove(lock);
  ASSERT_EQ(::mkfifo(lock.c_str(), 0600), 0);
  EXPECT_EQ(folder_.run({"--case=replay/sdpa"}, there), 2);
}

TEST_F(Usage, FifosInPlaceOfItsFilesAreRefusedAtOnceByName) {
  ASSERT_EQ(folder_.run({"--refresh", "--case=replay/sdpa"}), 0);
  const auto baseline = folder_.baseline_file();
  const auto in_place_of = [&](const fs::path& file) {
    fs::remove(file);
    EXPECT_EQ(::mkfifo(file.c_str(), 0600), 0);
    EXPECT_EQ(folder_.run({"--case=replay/sdpa"}), 2);
    EXPECT_NE(folder_.printed().find(file.string()), std::string::npos) << folder_.printed();
    fs::remove(file);
  };
  in_place_of(baseline);
  in_place_of(folder_.path() / "baselines" / "policy.json");
}

TEST_F(Usage, AReasonThatWouldPaintTheTerminalIsRefused) {
  EXPECT_EQ(folder_.run({"--refresh", "--case=replay/sdpa", "--reason=\033[2J"}), 2);
  EXPECT_EQ(folder_.run({"--refresh", "--case=replay/sdpa", "--accept=replay/*:two\nlines\n"}), 2);
}

TEST_F(Usage, GivesCTestItsMeasurementsWhereCTestRunsIt) {
  ASSERT_EQ(folder_.run({"--case=replay/sdpa"}, {{"DASHBOARD_TEST_FROM_CTEST", "3.25"}}), 77);
  EXPECT_NE(folder_.printed().find("name=\"replay/sdpa time us\""), std::string::npos);
}

}  // namespace
}  // namespace perfgate::selftest
