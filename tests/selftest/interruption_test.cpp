// A gate that is interrupted or killed, as a user meets it.

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "usage.h"

namespace perfgate::selftest {
namespace {

namespace fs = std::filesystem;

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

}  // namespace
}  // namespace perfgate::selftest
