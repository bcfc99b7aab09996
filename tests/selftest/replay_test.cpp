// The judge and the whole worker path on recorded noise: quiet nights stay quiet, injected
// slowdowns are named.

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "gate_run.h"

namespace perfgate::selftest {
namespace {

constexpr int kOperations = 9;

// Three recorded sessions, shared by the tests of this file, which only read them.
class ReplayedNight : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new GateFolder(PERFGATE_REPLAY_GATE);
    for (int session = 0; session < 3; ++session) {
      ASSERT_EQ(folder_->run({"--refresh", "--family=replay"}), 0) << folder_->printed();
    }
  }
  static void TearDownTestSuite() { delete folder_; }
  static GateFolder& folder() { return *folder_; }
  static int count(Verdict verdict) {
    return perfgate::count(folder().results().outcomes, verdict);
  }

 private:
  static inline GateFolder* folder_ = nullptr;
};

TEST_F(ReplayedNight, ARefreshRecordsOneSessionOfFiveWorkersACase) {
  const auto baseline = folder().baseline();
  EXPECT_EQ(baseline.sessions.size(), 3U);
  EXPECT_EQ(static_cast<int>(baseline.cases.size()), kOperations);
  for (const auto& [key, record] : baseline.cases) {
    ASSERT_EQ(record.revisions.size(), 1U) << key;
    for (const auto& [id, measurements] : record.revisions[0].measurements.at(kNetTime)) {
      EXPECT_EQ(measurements.size(), 5U) << key << " " << id;
    }
  }
}

TEST_F(ReplayedNight, QuietNightsStayQuiet) {
  int alarms = 0;
  for (int night = 0; night < 5; ++night) {
    folder().run({"--family=replay"});
    alarms += count(Verdict::kRegressed) + count(Verdict::kImproved);
    EXPECT_EQ(static_cast<int>(folder().results().outcomes.size()), kOperations);
  }
  EXPECT_EQ(alarms, 0) << folder().printed();
}

TEST_F(ReplayedNight, AHalfAgainSlowerLibraryFailsEveryCase) {
  EXPECT_EQ(folder().run({"--family=replay", "--inject_slowdown=50"}), 1);
  EXPECT_EQ(count(Verdict::kRegressed), kOperations) << folder().printed();
}

TEST_F(ReplayedNight, AnInjectedThreePercentIsCaughtWhereverTheCasesMdeIsNoLarger) {
  folder().run({"--family=replay", "--inject_slowdown=3"});
  int able = 0;
  for (const auto& outcome : folder().results().outcomes) {
    ASSERT_FALSE(outcome.judgements.empty());
    if (outcome.judgements[0].mde <= 0.03) {
      ++able;
      EXPECT_EQ(outcome.verdict, Verdict::kRegressed) << outcome.case_key;
    }
  }
  EXPECT_GE(able, 4) << folder().printed();
}

TEST_F(ReplayedNight, FindsWhatIsInjectedIntoItsCanariesAndNothingInTheOthers) {
  EXPECT_EQ(folder().run({"--family=replay", "--canaries=100"}), 0) << folder().printed();
  const auto run = folder().results();
  EXPECT_GE(run.canaries.size(), 4U) << folder().printed();  // of what passed
  int injected = 0;
  for (const auto& canary : run.canaries) {
    injected += canary.injection ? 1 : 0;
    EXPECT_EQ(canary.result, canary.injection ? CanaryResult::kFound : CanaryResult::kUnchanged)
        << canary.outcome.case_key << "\n"
        << folder().printed();
  }
  EXPECT_GE(injected, 2);
}

TEST_F(ReplayedNight, TheFailureTextSaysHowMuchWithWhatSignificanceAgainstWhatAndWhatToDo) {
  folder().run({"--case=replay/gemv_16384", "--inject_slowdown=50"});
  const std::string text = folder().printed();
  for (const char* part :
       {"REGRESSED  replay/gemv_16384", "slower by    50.", "significance", "budget",
        "5 fresh processes", "baseline", "changed", "injected", "--case=replay/gemv_16384"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
  const auto begin = text.find("REGRESSED  replay/");
  const auto end = text.find("reproduce ", begin);
  ASSERT_NE(end, std::string::npos) << text;
  EXPECT_LT(std::count(text.begin() + static_cast<long>(begin),
                       text.begin() + static_cast<long>(end), '\n'),
            20);
}

TEST_F(ReplayedNight, ScreensQuietCasesWithOneWorkerAndCandidatesWithAFullSession) {
  folder().run({"--case=replay/mm_8192"});
  EXPECT_EQ(folder().outcome("replay/mm_8192").reports.size(), 1U);
  folder().run({"--case=replay/mm_8192", "--inject_slowdown=50"});
  EXPECT_EQ(folder().outcome("replay/mm_8192").reports.size(), 5U);
}

TEST_F(ReplayedNight, TwoShardsRunEveryCaseExactlyOnce) {
  std::vector<std::string> keys;
  for (const char* index : {"0", "1"}) {
    folder().run({"--family=replay"}, {{"GTEST_TOTAL_SHARDS", "2"},
                                       {"GTEST_SHARD_INDEX", index},
                                       {"PERFGATE_SHARDED_BY", "a test"}});
    for (const auto& outcome : folder().results().outcomes) {
      keys.push_back(outcome.case_key);
    }
  }
  std::sort(keys.begin(), keys.end());
  EXPECT_EQ(static_cast<int>(keys.size()), kOperations);
  EXPECT_EQ(std::adjacent_find(keys.begin(), keys.end()), keys.end());
}

TEST_F(ReplayedNight, GoogleTestsFilterShuffleAndRepeatKeepWorking) {
  EXPECT_EQ(folder().run({"--case=replay/gemv*", "--gtest_filter=-*16384*", "--gtest_shuffle",
                          "--gtest_repeat=2"}),
            0);
  EXPECT_EQ(folder().results().outcomes.size(), 4U);
}

TEST_F(ReplayedNight, NoLineOfTheTableWrapsAt120Columns) {
  folder().run({"--family=replay"});
  std::istringstream lines(folder().printed());
  for (std::string line; std::getline(lines, line);) {
    if (line.find("replay/") != std::string::npos && line.find("results") == std::string::npos) {
      EXPECT_LE(line.size(), 120U) << line;
    }
  }
}

}  // namespace
}  // namespace perfgate::selftest
