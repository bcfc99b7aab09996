// Each call to the CUDA runtime fails once, where there need not be a GPU: no kernel is queued.

#include "perfgate/measure/cuda_gpu.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "perfgate/core/errors.h"
#include "perfgate/measure/sm_clocks.h"

namespace perfgate {
namespace {

using testing::_;
using testing::AnyNumber;
using testing::DoAll;
using testing::HasSubstr;
using testing::NiceMock;
using testing::Return;
using testing::SetArgPointee;
using testing::Throw;

class MockCudaCalls : public CudaCalls {
 public:
  MOCK_METHOD(cudaError_t, l2_bytes, (int* bytes), (override));
  MOCK_METHOD(bool, is_hopper_of_132, (), (override));
  MOCK_METHOD(cudaError_t, allocate, (void** memory, std::size_t bytes), (override));
  MOCK_METHOD(void, free, (void* memory), (override));
  MOCK_METHOD(cudaError_t, available, (std::size_t * bytes), (override));
  MOCK_METHOD(cudaError_t, allocate_shared, (void** memory, std::size_t bytes), (override));
  MOCK_METHOD(void, free_shared, (void* memory), (override));
  MOCK_METHOD(cudaError_t, make_event, (cudaEvent_t * event), (override));
  MOCK_METHOD(void, destroy, (cudaEvent_t event), (override));
  MOCK_METHOD(cudaError_t, clear, (void* memory, std::size_t bytes, cudaStream_t stream),
              (override));
  MOCK_METHOD(cudaError_t, record, (cudaEvent_t event, cudaStream_t stream), (override));
  MOCK_METHOD(cudaError_t, elapsed, (float* ms, cudaEvent_t start, cudaEvent_t stop), (override));
  MOCK_METHOD(cudaError_t, wait, (cudaStream_t stream), (override));
  MOCK_METHOD(cudaError_t, launch, (const std::function<void()>& kernel), (override));
};

// Where every call succeeds, with memory of the test's own.
class CudaGpuCalls : public testing::Test {
 protected:
  CudaGpuCalls() {
    ON_CALL(calls_, l2_bytes).WillByDefault(DoAll(SetArgPointee<0>(50 << 20), Return(cudaSuccess)));
    ON_CALL(calls_, is_hopper_of_132).WillByDefault(Return(true));
    ON_CALL(calls_, allocate)
        .WillByDefault(DoAll(SetArgPointee<0>(memory_.data()), Return(cudaSuccess)));
    ON_CALL(calls_, allocate_shared)
        .WillByDefault(DoAll(SetArgPointee<0>(shared_.data()), Return(cudaSuccess)));
    ON_CALL(calls_, make_event)
        .WillByDefault(DoAll(SetArgPointee<0>(reinterpret_cast<cudaEvent_t>(memory_.data())),
                             Return(cudaSuccess)));
    ON_CALL(calls_, elapsed).WillByDefault(DoAll(SetArgPointee<0>(0.5F), Return(cudaSuccess)));
  }

  // Every verb once.
  void sample() {
    CudaGpu gpu(calls_, nullptr, kHoldTimeout);
    gpu.load(Seconds(1e-6));
    gpu.hold();
    gpu.flush_cache();
    gpu.record_start();
    gpu.empty_kernel();
    gpu.spin(Seconds(1e-6));
    gpu.record_stop();
    gpu.stamp_clock();
    gpu.release();
    gpu.wait();
    EXPECT_DOUBLE_EQ(gpu.elapsed().count(), 0.5e-3);
    EXPECT_FALSE(gpu.hold_timed_out());
  }

  std::string error_of_sample() {
    try {
      sample();
    } catch (const SystemError& error) {
      return error.what();
    }
    return "";
  }

  std::array<std::byte, 64> memory_{};
  alignas(64) std::array<std::byte, 256> shared_{};
  NiceMock<MockCudaCalls> calls_;
};

TEST_F(CudaGpuCalls, ThatSucceedMakeASample) { EXPECT_EQ(error_of_sample(), ""); }

TEST_F(CudaGpuCalls, GiveBackWhatTheyAllocated) {
  EXPECT_CALL(calls_, allocate).Times(4);
  EXPECT_CALL(calls_, free).Times(4);
  EXPECT_CALL(calls_, allocate_shared).Times(1);
  EXPECT_CALL(calls_, free_shared).Times(1);
  EXPECT_CALL(calls_, make_event).Times(2);
  EXPECT_CALL(calls_, destroy).Times(2);
  sample();
}

// Of a GPU whose L2 is larger than any that there is, four times that.
TEST_F(CudaGpuCalls, AllocateSeveralTimesTheL2ToFlushIt) {
  constexpr std::size_t kMib = std::size_t{1} << 20;
  for (const auto& [l2_mib, buffer_mib] : {std::pair{50, 256}, {100, 400}}) {
    EXPECT_CALL(calls_, l2_bytes)
        .WillOnce(DoAll(SetArgPointee<0>(l2_mib << 20), Return(cudaSuccess)));
    EXPECT_CALL(calls_, allocate).Times(AnyNumber());
    EXPECT_CALL(calls_, allocate(_, buffer_mib * kMib + sizeof(unsigned)));
    EXPECT_EQ(error_of_sample(), "");
    testing::Mock::VerifyAndClearExpectations(&calls_);
  }
}

TEST_F(CudaGpuCalls, ThatFindNoMemorySayWhatIsWantedAndWhatIsFree) {
  EXPECT_CALL(calls_, allocate).WillOnce(Return(cudaErrorMemoryAllocation));
  EXPECT_CALL(calls_, available).WillOnce(DoAll(SetArgPointee<0>(1000), Return(cudaSuccess)));
  EXPECT_THAT(
      error_of_sample(),
      HasSubstr("out of memory: flushing the cache needs 268435460 bytes, 1000 are available"));
}

TEST_F(CudaGpuCalls, ThatFindNoKernelForTheGpuSayHowToBuildIt) {
  EXPECT_CALL(calls_, launch).WillOnce(Return(cudaErrorNoKernelImageForDevice));
  EXPECT_THAT(error_of_sample(), HasSubstr("CMAKE_CUDA_ARCHITECTURES"));
}

TEST_F(CudaGpuCalls, LoadNothingThatHasNoKernelForIt) {
  EXPECT_CALL(calls_, is_hopper_of_132).WillOnce(Return(false));
  CudaGpu gpu(calls_, nullptr, kHoldTimeout);
  EXPECT_FALSE(gpu.load(Seconds(1)));
}

// A call that fails, and what the error says was being done.
struct Failure {
  const char* said;
  std::function<void(MockCudaCalls&)> arrange;
};

class FailingCudaCall : public CudaGpuCalls, public testing::WithParamInterface<Failure> {};

TEST_P(FailingCudaCall, EndsTheSampleAndIsNamed) {
  GetParam().arrange(calls_);
  EXPECT_THAT(error_of_sample(), HasSubstr(std::string(GetParam().said) + ": "));
}

constexpr cudaError_t kFault = cudaErrorIllegalAddress;

// The n-th launch of a sample fails.
std::function<void(MockCudaCalls&)> launch_fails(int n) {
  return [n](MockCudaCalls& calls) {
    testing::Sequence order;
    EXPECT_CALL(calls, launch).Times(n - 1).InSequence(order).WillRepeatedly(Return(cudaSuccess));
    EXPECT_CALL(calls, launch).InSequence(order).WillOnce(Return(kFault));
  };
}

INSTANTIATE_TEST_SUITE_P(
    EveryCall, FailingCudaCall,
    testing::Values(
        Failure{"the size of the L2",
                [](auto& calls) { EXPECT_CALL(calls, l2_bytes).WillOnce(Return(kFault)); }},
        Failure{"memory for flushing the cache",
                [](auto& calls) { EXPECT_CALL(calls, allocate).WillOnce(Return(kFault)); }},
        Failure{"memory that host and GPU share",
                [](auto& calls) { EXPECT_CALL(calls, allocate_shared).WillOnce(Return(kFault)); }},
        Failure{"an event",
                [](auto& calls) { EXPECT_CALL(calls, make_event).WillOnce(Return(kFault)); }},
        Failure{"clearing the SMs' clocks",
                [](auto& calls) { EXPECT_CALL(calls, clear).WillOnce(Return(kFault)); }},
        Failure{"what kind of GPU this is",
                [](auto& calls) {
                  EXPECT_CALL(calls, is_hopper_of_132)
                      .WillOnce(Throw(SystemError("what kind of GPU this is: unknown", "")));
                }},
        Failure{"the start event",
                [](auto& calls) { EXPECT_CALL(calls, record).WillOnce(Return(kFault)); }},
        Failure{"the stop event",
                [](auto& calls) {
                  EXPECT_CALL(calls, record).WillOnce(Return(cudaSuccess)).WillOnce(Return(kFault));
                }},
        Failure{"the time between the events",
                [](auto& calls) { EXPECT_CALL(calls, elapsed).WillOnce(Return(kFault)); }},
        Failure{"waiting for the GPU",
                [](auto& calls) { EXPECT_CALL(calls, wait).WillOnce(Return(kFault)); }},
        Failure{"filling the flush buffer", launch_fails(1)},
        Failure{"filling the load's operands", launch_fails(2)},
        Failure{"loading the tensor cores", launch_fails(3)}));

// Without a load, whose length is a matter of time.
INSTANTIATE_TEST_SUITE_P(EveryKernel, FailingCudaCall, testing::ValuesIn([] {
                           std::vector<Failure> out;
                           int n = 1;
                           for (const char* kernel :
                                {"filling the flush buffer", "the hold", "the cache flush",
                                 "the empty kernel", "the spin", "the clock stamp"}) {
                             out.push_back(
                                 {kernel, [n](MockCudaCalls& calls) {
                                    ON_CALL(calls, is_hopper_of_132).WillByDefault(Return(false));
                                    launch_fails(n)(calls);
                                  }});
                             ++n;
                           }
                           return out;
                         }()));

TEST(SmClocks, SayTheFrequencyAtWhichTheyWent) {
  const SmClocks a{/*cycles=*/1980, /*ns=*/1000};
  const SmClocks b{/*cycles=*/30000, /*ns=*/20000};
  EXPECT_DOUBLE_EQ(mhz(a), 1980);
  EXPECT_DOUBLE_EQ(mhz(b), 1500);
}

}  // namespace
}  // namespace perfgate
