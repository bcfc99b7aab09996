#include "perfgate/measure/cpu_clock.h"

#include <gtest/gtest.h>

#include <thread>

namespace perfgate {
namespace {

// A case's own thread that takes its core is no neighbour.
TEST(CpuClockTest, CountsWhatAnotherThreadOfTheProcessTakes) {
  CpuClock clock;
  const Seconds before = clock.before().process;
  std::thread([&clock, before] {
    while (clock.behind().process - before < Seconds(0.02)) {
    }
  }).join();
  EXPECT_GE(clock.behind().process - before, Seconds(0.02));
}

TEST(CpuClockTest, DoesNotCountWhatTheProcessWaits) {
  CpuClock clock;
  const CpuInstant before = clock.before();
  std::this_thread::sleep_for(Seconds(0.1));
  const CpuInstant after = clock.behind();
  EXPECT_GE(after.wall - before.wall, Seconds(0.1));
  EXPECT_LT(after.process - before.process, Seconds(0.05));
}

TEST(CpuClockTest, CountsHowOftenTheThreadWaited) {
  CpuClock clock;
  const long before = clock.voluntary_switches();
  std::this_thread::sleep_for(Seconds(0.001));
  EXPECT_GT(clock.voluntary_switches(), before);
}

}  // namespace
}  // namespace perfgate
