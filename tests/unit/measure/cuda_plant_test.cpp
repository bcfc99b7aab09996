#include "perfgate/measure/cuda_plant.h"

#include <gtest/gtest.h>

#include "fake_gpu.h"

namespace perfgate {
namespace {

using testing_support::FakeGpu;

class CudaPlant : public testing::Test {
 protected:
  // What 5 % of a body came to, once its plant was sized, in percent of the body.
  double planted_percent(const std::function<void()>& run, double percent = 5) {
    const auto planted =
        with_plant(taker_, gpu_, run, {percent, Seconds(1e-4), Seconds(2.7e-6), kSamples});
    const Seconds together = taker_.take(planted).elapsed;
    const Seconds alone = taker_.take(run).elapsed;
    return 100 * (together - alone) / (alone - Seconds(2.7e-6));
  }
  std::function<void()> body(double seconds = 1e-4) {
    return [this, seconds] {
      ++runs_;
      gpu_.queued += Seconds(seconds);
    };
  }

  static constexpr int kSamples = 20;
  FakeGpu gpu_;
  SampleTaker taker_{gpu_, 2};
  int runs_ = 0;
};

TEST_F(CudaPlant, CostsWhatIsAskedFor) { EXPECT_NEAR(planted_percent(body()), 5, 1e-6); }

TEST_F(CudaPlant, IsSizedByTheBodyWhateverWasExpectedOfIt) {
  EXPECT_NEAR(planted_percent(body(3e-4)), 5, 1e-6);
}

TEST_F(CudaPlant, IsTakenAsItIsOnceItIsCloseEnough) {
  planted_percent(body());
  EXPECT_EQ(runs_, 2 * kSamples + 2);  // one round, and the two that this test takes
}

TEST_F(CudaPlant, CannotBeShorterThanAKernel) {
  gpu_.shortest_kernel = Seconds(5e-6);
  EXPECT_NEAR(planted_percent(body(), 1), 5, 1e-6);
}

TEST_F(CudaPlant, IsAsLargeWhenTheClockChangesWhileItIsSized) {
  int runs = 0;
  const auto slowing = [this, &runs] {
    gpu_.queued += ++runs < kSamples ? Seconds(1e-4) : Seconds(1.05e-4);
  };
  EXPECT_NEAR(planted_percent(slowing), 5, 0.3);
}

}  // namespace
}  // namespace perfgate
