#include "perfgate/backends/cores.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

namespace perfgate {
namespace {

std::vector<int> cores_in(const cpu_set_t& cores) {
  std::vector<int> out;
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (CPU_ISSET(core, &cores)) {
      out.push_back(core);
    }
  }
  return out;
}

class Cores : public testing::Test {
 protected:
  void SetUp() override {
    if (cores_.size() < 2) {
      GTEST_SKIP() << "needs two cores";
    }
  }
  ~Cores() override { keep_to(allowed_); }

  cpu_set_t allowed_ = allowed_cores();
  std::vector<int> cores_ = cores_in(allowed_);
};

TEST_F(Cores, KeepsTheThreadsThatRunAlreadyAndThoseThatComeToOneCore) {
  std::vector<int> seen;
  std::atomic<bool> kept{false};
  std::thread before([&] {
    while (!kept) {
      std::this_thread::yield();
    }
    seen = cores_in(allowed_cores());
  });
  keep_to(cores_.front());
  kept = true;
  before.join();
  EXPECT_EQ(seen, std::vector{cores_.front()});
  std::thread([&] { seen = cores_in(allowed_cores()); }).join();
  EXPECT_EQ(seen, std::vector{cores_.front()});
  keep_to(allowed_);
  EXPECT_EQ(cores_in(allowed_cores()), cores_);
}

// Code that is slow on all cores but one.
TEST_F(Cores, ChoosesTheCoreOnWhichCodeTakesTheLeast) {
  for (const int quiet : {cores_.front(), cores_.back()}) {
    keep_to_quietest(allowed_, [quiet] {
      const auto length = sched_getcpu() == quiet ? 1 : 4;
      std::this_thread::sleep_for(std::chrono::milliseconds(length));
    });
    EXPECT_EQ(cores_in(allowed_cores()), std::vector{quiet});
  }
}

TEST_F(Cores, LeavesTheProcessAloneWhereNoCoreIsKnown) {
  cpu_set_t none;
  CPU_ZERO(&none);
  keep_to_quietest(none, [] { FAIL() << "nowhere to run"; });
  EXPECT_EQ(cores_in(allowed_cores()), cores_);
}

}  // namespace
}  // namespace perfgate
