// Bad input, selections and exit codes, as a user meets them.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <set>

#include "perfgate/core/files.h"
#include "usage.h"

namespace perfgate::selftest {
namespace {

namespace fs = std::filesystem;

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
  folder_.rename_recorded("replay/sdpa", "replay/gone");
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
  EXPECT_EQ(folder_.run({"--case=on_demand/*"}), 77) << folder_.printed();
  EXPECT_EQ(folder_.results().outcomes.size(), 1U) << "a glob asks for what is a night's";
  EXPECT_EQ(folder_.run({"--case=on_demand/*", "--case=on_demand/asked_for"}), 0)
      << folder_.printed();
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
  folder_.rename_recorded("replay/sdpa", "replay/gone");
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
  EXPECT_EQ(folder_.run({"--case=replay/sdpa", "--inject_slowdown=nan"}), 2);
}

TEST_F(Usage, ALostCaseIsFoundByASelectionThatMeansIt) {
  ASSERT_EQ(folder_.run({"--refresh", "--case=replay/sdpa"}), 0) << folder_.printed();
  folder_.rename_recorded("replay/sdpa", "replay/gone");
  EXPECT_EQ(folder_.run({"--case=replay/g*"}), 1) << folder_.printed();
  EXPECT_EQ(folder_.run({"--case=replay/gemv*"}), 77) << folder_.printed();
}

TEST_F(Usage, AcceptsWhatTheEnvironmentNames) {
  ASSERT_EQ(folder_.run({"--refresh", "--case=replay/sdpa"}), 0) << folder_.printed();
  EXPECT_EQ(folder_.run({"--refresh", "--case=replay/sdpa"},
                        {{"PERFGATE_ACCEPT", "replay/mm*:one\nreplay/sdpa:two"}}),
            0)
      << folder_.printed();
  EXPECT_EQ(folder_.baseline().cases.at("replay/sdpa").revisions.back().reason, "two");
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
  folder_.rename_recorded("replay/sdpa", "gone/sdpa");
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
    EXPECT_EQ(record.revisions.back().reference.size(), 1U) << key;
  }
  EXPECT_EQ(folder_.run({"--refresh", "--missing", "--family=replay"}), 77) << folder_.printed();
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
