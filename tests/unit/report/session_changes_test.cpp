#include "perfgate/report/session_changes.h"

#include <gtest/gtest.h>

namespace perfgate {
namespace {

SessionRecord with(std::map<std::string, std::string> settings) {
  SessionRecord out;
  out.settings = std::move(settings);
  return out;
}

TEST(SessionChanges, NamesWhatDiffersAndNothingElse) {
  EXPECT_EQ(session_changes(with({{"cudnn", "91002"}, {"ecc", "on"}}),
                            with({{"cudnn", "91100"}, {"ecc", "on"}})),
            "cudnn 91002 -> 91100");
  EXPECT_EQ(session_changes(with({{"ecc", "on"}}), with({{"ecc", "on"}})), "");
}

TEST(SessionChanges, SaysUnsetOfAVariableAndNothingOfALibraryThatOneSideDoesNotName) {
  EXPECT_EQ(
      session_changes(with({{"ecc", "on"}}),
                      with({{"NVIDIA_TF32_OVERRIDE", "0"}, {"ecc", "on"}, {"triton", "3.6.0"}})),
      "NVIDIA_TF32_OVERRIDE unset -> 0");
  EXPECT_EQ(session_changes(with({{"ecc", "on"}, {"triton", "3.6.0"}}), with({{"ecc", "on"}})), "");
  EXPECT_EQ(session_changes(with({{"MKL_VERBOSE", "1"}, {"ecc", "on"}}), with({{"ecc", "on"}})),
            "MKL_VERBOSE 1 -> unset");
}

TEST(SessionChanges, TellsWhatIsSetNowWhereTheSessionHasNoSettings) {
  EXPECT_EQ(session_changes(with({}), with({{"ONEDNN_MAX_CPU_ISA", "SSE41"}, {"mkl", "2024.2"}})),
            "set now, not recorded then: ONEDNN_MAX_CPU_ISA=SSE41");
  EXPECT_EQ(session_changes(with({}), with({{"mkl", "2024.2"}})), "");
}

TEST(SessionChanges, SaysNothingOfSettingsThatAResultsFileDoesNotHave) {
  EXPECT_EQ(session_changes(with({{"MKL_VERBOSE", "1"}, {"ecc", "on"}}), with({})), "");
}

TEST(SessionChanges, PutsLibTorchFirstAndTheCommitLast) {
  SessionRecord before = with({{"cudnn", "1"}});
  SessionRecord now = with({{"cudnn", "2"}});
  before.libtorch = "2.11.0";
  now.libtorch = "2.12.0";
  before.commit = "old";
  now.commit = "new";
  EXPECT_EQ(session_changes(before, now),
            "LibTorch 2.11.0 -> 2.12.0; cudnn 1 -> 2; commit old -> new");
}

TEST(SessionChanges, NameTheWorkloadsWhoseSourcesDiffer) {
  SessionRecord before;
  SessionRecord now;
  before.workloads = {{"ops", "1a2b"}, {"sparse", "3c4d"}, {"old", "5e6f"}};
  now.workloads = {{"ops", "4d5e"}, {"sparse", "3c4d"}, {"new", "7a8b"}};
  now.commit = "new";
  EXPECT_EQ(session_changes(before, now), "sources of ops; commit  -> new");
  now.workloads["sparse"] = "9c0d";
  EXPECT_EQ(session_changes(before, now), "sources of ops, sparse; commit  -> new");
}

TEST(ChangesForFamily, NameWhatCanMatterToIt) {
  SessionRecord before;
  SessionRecord now;
  before.workloads = {{"ops", "1a2b"}, {"sparse", "3c4d"}, {"old", "5e6f"}};
  now.workloads = {{"ops", "4d5e"}, {"sparse", "3c4d"}, {"new", "7a8b"}};
  now.commit = "new";
  EXPECT_EQ(changes_for_family(before, now, "ops", false), "sources of ops 1a2b -> 4d5e");
  EXPECT_EQ(changes_for_family(before, now, "sparse", false), "");
  EXPECT_EQ(changes_for_family(before, now, "new", false), "commit  -> new");
  EXPECT_EQ(changes_for_family(before, now, "old", false), "commit  -> new");
  EXPECT_EQ(changes_for_family(before, now, "ops", true),
            "sources of ops 1a2b -> 4d5e; commit  -> new");
  EXPECT_EQ(changes_for_family(before, now, "sparse", true), "commit  -> new");
  now.settings = {{"MKL_VERBOSE", "1"}};
  EXPECT_EQ(changes_for_family(before, now, "sparse", false),
            "set now, not recorded then: MKL_VERBOSE=1");
}

TEST(SessionChanges, TakeAVersionWithoutItsBuildForTheSame) {
  SessionRecord before;
  SessionRecord now;
  before.libtorch = "2.11.0";
  now.libtorch = "2.11.0+cu130";
  EXPECT_EQ(session_changes(before, now), "");
  before.libtorch = "2.11.0+cpu";
  EXPECT_EQ(session_changes(before, now), "LibTorch 2.11.0+cpu -> 2.11.0+cu130");
}

TEST(SessionChanges, NameTheCommitsOfTwoNightliesOfOneVersion) {
  EXPECT_EQ(session_changes(with({{"libtorch_commit", "1a2b3c4d5e6f"}}),
                            with({{"libtorch_commit", "6f5e4d3c2b1a"}})),
            "libtorch_commit 1a2b3c4d5e6f -> 6f5e4d3c2b1a");
}

TEST(SessionChanges, KnowTritonOfACompiledCase) {
  WorkerReport report;
  EXPECT_TRUE(settings_of_case(report).empty());
  report.environment = {{"triton", "3.6.0"}, {"temperature_c", "41"}};
  EXPECT_EQ(settings_of_case(report), (std::map<std::string, std::string>{{"triton", "3.6.0"}}));
}

}  // namespace
}  // namespace perfgate
