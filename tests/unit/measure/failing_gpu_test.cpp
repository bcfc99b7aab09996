// Each call to a GPU fails once.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "perfgate/core/errors.h"
#include "perfgate/measure/cuda_sampler.h"

namespace perfgate {
namespace {

using testing::NiceMock;
using testing::Return;
using testing::Throw;

class MockGpu : public Gpu {
 public:
  MOCK_METHOD(void, block, (), (override));
  MOCK_METHOD(void, unblock, (), (override));
  MOCK_METHOD(bool, block_timed_out, (), (override));
  MOCK_METHOD(void, flush_cache, (), (override));
  MOCK_METHOD(void, record_start, (), (override));
  MOCK_METHOD(void, record_stop, (), (override));
  MOCK_METHOD(Seconds, elapsed, (), (override));
  MOCK_METHOD(void, stamp_clock, (), (override));
  MOCK_METHOD(double, body_clock_mhz, (), (override));
  MOCK_METHOD(double, clock_behind_mhz, (), (override));
  MOCK_METHOD(void, empty_kernel, (), (override));
  MOCK_METHOD(void, extra_work, (Seconds length, Bound bound), (override));
  MOCK_METHOD(bool, precondition, (Seconds length), (override));
  MOCK_METHOD(void, wait, (), (override));
  MOCK_METHOD(Seconds, now, (), (override));
  MOCK_METHOD(void, pause, (Seconds length), (override));
};

using Break = std::function<void(MockGpu&)>;

class FailingCall : public testing::TestWithParam<Break> {};

// Whichever call fails, the error arrives, and a stream that was blocked has been unblocked.
TEST_P(FailingCall, EndsTheMeasurementAndReleasesTheStream) {
  NiceMock<MockGpu> gpu;
  bool blocked = false;
  ON_CALL(gpu, block).WillByDefault([&] { blocked = true; });
  ON_CALL(gpu, unblock).WillByDefault([&] { blocked = false; });
  ON_CALL(gpu, elapsed).WillByDefault(Return(Seconds(1e-4)));
  ON_CALL(gpu, body_clock_mhz).WillByDefault(Return(1500));
  ON_CALL(gpu, clock_behind_mhz).WillByDefault(Return(1980));
  double clock_s = 0;
  ON_CALL(gpu, now).WillByDefault([&] { return Seconds(clock_s += 1e-3); });
  GetParam()(gpu);
  CudaSampler sampler({}, gpu, nullptr, "");
  const Body body{[] {}, {{1e6}, {0}, Bound::kMemory}, Seconds(1e-4), {}, {}, {}};
  const auto precondition_and_measure = [&] {
    sampler.precondition(Bound::kCompute);
    sampler.measure(body, {10, {}});
  };
  EXPECT_THROW(precondition_and_measure(), SystemError);
  EXPECT_FALSE(blocked);
}

const SystemError kBroken("broken", "");
INSTANTIATE_TEST_SUITE_P(
    EveryCall, FailingCall,
    testing::Values([](MockGpu& gpu) { EXPECT_CALL(gpu, precondition).WillOnce(Throw(kBroken)); },
                    [](MockGpu& gpu) { EXPECT_CALL(gpu, block).WillOnce(Throw(kBroken)); },
                    [](MockGpu& gpu) { EXPECT_CALL(gpu, flush_cache).WillOnce(Throw(kBroken)); },
                    [](MockGpu& gpu) { EXPECT_CALL(gpu, record_start).WillOnce(Throw(kBroken)); },
                    [](MockGpu& gpu) { EXPECT_CALL(gpu, empty_kernel).WillOnce(Throw(kBroken)); },
                    [](MockGpu& gpu) { EXPECT_CALL(gpu, record_stop).WillOnce(Throw(kBroken)); },
                    [](MockGpu& gpu) { EXPECT_CALL(gpu, stamp_clock).WillOnce(Throw(kBroken)); },
                    [](MockGpu& gpu) { EXPECT_CALL(gpu, wait).WillOnce(Throw(kBroken)); },
                    [](MockGpu& gpu) { EXPECT_CALL(gpu, elapsed).WillOnce(Throw(kBroken)); },
                    [](MockGpu& gpu) { EXPECT_CALL(gpu, extra_work).WillOnce(Throw(kBroken)); }));

}  // namespace
}  // namespace perfgate
