#include "perfgate/measure/host_control.h"

#include <gtest/gtest.h>

#include <chrono>

#include "fixtures/fake_gpu.h"

namespace perfgate {
namespace {

using testing_support::FakeGpu;

TEST(HostControl, IsTheMeanOfWhatAStandInTakes) {
  FakeGpu gpu;
  gpu.launch = Seconds(3e-6);
  HostControl control(gpu);
  EXPECT_NEAR(Microseconds(control.measure()).count(), 3, 1e-9)
      << "by the clock of a GPU on which code takes no time";
  gpu.launch = Seconds(6e-6);
  EXPECT_NEAR(Microseconds(control.measure()).count(), 6, 1e-9);
}

// Without waiting, launches would queue up behind what the GPU still does.
TEST(HostControl, FindsAndLeavesTheGpuIdle) {
  class WaitingGpu : public FakeGpu {
   public:
    void empty_kernel() override {
      EXPECT_GE(waits, 1);
      ++launches;
      FakeGpu::empty_kernel();
    }
    void wait() override {
      ++waits;
      launches_when_waited = launches;
      FakeGpu::wait();
    }
    int waits = 0;
    int launches = 0;
    int launches_when_waited = 0;
  };
  WaitingGpu gpu;
  HostControl(gpu).measure();
  EXPECT_GT(gpu.launches, 0);
  EXPECT_EQ(gpu.launches_when_waited, gpu.launches);
}

class WallClockGpu : public FakeGpu {
 public:
  Seconds now() override { return std::chrono::steady_clock::now().time_since_epoch(); }
};

TEST(HostControl, RunsItsCodeBesideLaunching) {
  WallClockGpu gpu;
  EXPECT_GT(HostControl(gpu).measure(), Seconds(1e-7)) << "it was optimised away";
}

}  // namespace
}  // namespace perfgate
