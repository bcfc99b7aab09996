#include "perfgate/measure/cuda_injection.h"

#include <gtest/gtest.h>

#include <functional>

#include "fixtures/fake_gpu.h"

namespace perfgate {
namespace {

using testing_support::FakeGpu;

class CudaInjection : public testing::Test {
 protected:
  // What came to a body of which 100 us were expected, in percent of its own time.
  double injected_percent(const std::function<void()>& run, double percent = 5) {
    const auto injected = with_injection(
        taker_, gpu_, run, {percent, bound_, Seconds(1e-4), FakeGpu::kFloor, kSamples});
    const Seconds together = taker_.take(injected).elapsed;
    const Seconds alone = taker_.take(run).elapsed;
    return 100 * (together - alone) / (alone - FakeGpu::kFloor);
  }
  std::function<void()> body(Seconds length) {
    return [this, length] {
      ++runs_;
      gpu_.queued += length;
    };
  }

  static constexpr int kSamples = 20;
  FakeGpu gpu_;
  SampleTaker taker_{gpu_, /*pause=*/2};
  int runs_ = 0;
  Bound bound_ = Bound::kMemory;
};

TEST_F(CudaInjection, CostsWhatIsAskedFor) {
  EXPECT_NEAR(injected_percent(body(Seconds(1e-4))), 5, 1e-6);
}

TEST_F(CudaInjection, IsTakenAsItIsWithinATwentiethOfThat) {
  EXPECT_NEAR(injected_percent(body(Seconds(1.04e-4))), 5 / 1.04, 1e-6);
  EXPECT_EQ(runs_, 2 * kSamples + 2);  // one round, and the two that this test takes
}

TEST_F(CudaInjection, IsSizedByTheBodyWhateverWasExpectedOfIt) {
  EXPECT_NEAR(injected_percent(body(Seconds(1.06e-4))), 5, 1e-6);
  EXPECT_NEAR(injected_percent(body(Seconds(3e-4))), 5, 1e-6);
}

TEST_F(CudaInjection, IsWorkOfTheBodysKind) {
  for (const Bound bound : {Bound::kMemory, Bound::kCompute}) {
    bound_ = bound;
    injected_percent(body(Seconds(1e-4)));
    EXPECT_EQ(gpu_.extra_work_of, bound);
  }
}

TEST_F(CudaInjection, CannotBeShorterThanAKernel) {
  gpu_.shortest_kernel = Seconds(5e-6);
  EXPECT_NEAR(injected_percent(body(Seconds(1e-4)), 1), 5, 1e-6);
}

TEST_F(CudaInjection, IsAsLargeWhileTheClockChanges) {
  // A thousandth longer every run: injected work of 5 % that is compared with 20 runs before it
  // would be sized 2 % short. Turn by turn a run apart, 0.1 %, and as much where this test
  // compares.
  const auto slowing = [this] { gpu_.queued += Seconds(1e-4 * (1 + 1e-3 * ++runs_)); };
  EXPECT_NEAR(injected_percent(slowing), 5, 0.25 + 0.2);  // within a twentieth is close enough
}

}  // namespace
}  // namespace perfgate
