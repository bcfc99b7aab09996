// Each call to the CUDA runtime that a sample makes fails once, where there need not be a GPU: no
// kernel is queued.

#include "perfgate/measure/cuda_gpu.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <functional>
#include <string>
#include <utility>

#include "perfgate/core/errors.h"
#include "perfgate/measure/ceiling_kernels.h"
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
using testing::StartsWith;

class MockCudaCalls : public CudaCalls {
 public:
  MOCK_METHOD(cudaError_t, attribute, (int* value, cudaDeviceAttr which), (override));
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

// A Hopper of 132 multiprocessors on which every call succeeds but the one that is told to fail,
// with memory of the test's own.
class CudaGpuCalls : public testing::Test {
 protected:
  CudaGpuCalls() {
    ON_CALL(calls_, attribute).WillByDefault([this](int* value, cudaDeviceAttr which) {
      *value = which == cudaDevAttrL2CacheSize              ? 50 << 20
               : which == cudaDevAttrComputeCapabilityMajor ? 9
               : which == cudaDevAttrMultiProcessorCount    ? kTensorCoreBlocks
                                                            : 0;
      return next();
    });
    ON_CALL(calls_, allocate).WillByDefault([this](void** memory, std::size_t) {
      return given(memory, memory_.data(), memories_);
    });
    ON_CALL(calls_, allocate_shared).WillByDefault([this](void** memory, std::size_t) {
      return given(memory, shared_.data(), shared_memories_);
    });
    ON_CALL(calls_, make_event).WillByDefault([this](cudaEvent_t* event) {
      return given(event, memory_.data(), events_);
    });
    ON_CALL(calls_, free).WillByDefault([this](void*) { --memories_; });
    ON_CALL(calls_, free_shared).WillByDefault([this](void*) { --shared_memories_; });
    ON_CALL(calls_, destroy).WillByDefault([this](cudaEvent_t) { --events_; });
    ON_CALL(calls_, clear).WillByDefault([this] { return next(); });
    ON_CALL(calls_, record).WillByDefault([this] { return next(); });
    ON_CALL(calls_, elapsed).WillByDefault([this](float* ms, cudaEvent_t, cudaEvent_t) {
      *ms = 0.5F;
      return next();
    });
    ON_CALL(calls_, wait).WillByDefault([this] { return next(); });
    ON_CALL(calls_, launch).WillByDefault([this] { return next(); });
  }

  // Every verb that calls CUDA.
  void sample() {
    CudaGpu gpu(calls_, nullptr, kBlockTimeout);
    EXPECT_TRUE(gpu.precondition(Seconds(0)));
    gpu.block();
    gpu.flush_cache();
    gpu.record_start();
    gpu.empty_kernel();
    gpu.extra_work(Seconds(1e-6), Bound::kCompute);
    gpu.extra_work(Seconds(1e-6), Bound::kMemory);
    gpu.record_stop();
    gpu.stamp_clock();
    gpu.unblock();
    gpu.wait();
    EXPECT_DOUBLE_EQ(gpu.elapsed().count(), 0.5e-3);
    EXPECT_FALSE(gpu.block_timed_out());
  }

  std::string error_of_sample() {
    try {
      sample();
    } catch (const SystemError& error) {
      return error.what();
    }
    return "";
  }

  cudaError_t next() { return ++made_ == failing_ ? cudaErrorIllegalAddress : cudaSuccess; }

  void expect_nothing_left() const {
    EXPECT_EQ(memories_, 0);
    EXPECT_EQ(shared_memories_, 0);
    EXPECT_EQ(events_, 0);
  }

  template <class Handle>
  cudaError_t given(Handle* out, void* what, int& given_out) {
    const cudaError_t code = next();
    if (code == cudaSuccess) {
      *out = static_cast<Handle>(what);
      ++given_out;
    }
    return code;
  }

  int made_ = 0;      // calls that can fail
  int failing_ = 0;   // which of them does, from 1 on
  int memories_ = 0;  // allocated and not given back; so are the next two
  int shared_memories_ = 0;
  int events_ = 0;
  std::array<std::byte, 64> memory_{};
  alignas(64) std::array<std::byte, 256> shared_{};
  NiceMock<MockCudaCalls> calls_;
};

// What a sample's calls do, in their order.
constexpr const char* kCalls[] = {"the number of multiprocessors",
                                  "the size of the L2",
                                  "memory for flushing the cache",
                                  "memory for the SMs' clocks",
                                  "memory that host and GPU share",
                                  "an event",
                                  "an event",
                                  "clearing the SMs' clocks",
                                  "filling the flush buffer",
                                  "waiting for the GPU",
                                  "what kind of GPU this is",
                                  "what kind of GPU this is",
                                  "memory for preconditioning",
                                  "memory for preconditioning",
                                  "filling what preconditioning multiplies",
                                  "preconditioning",
                                  "preconditioning",
                                  "preconditioning",
                                  "preconditioning",
                                  "preconditioning",
                                  "preconditioning",
                                  "preconditioning",
                                  "preconditioning",
                                  "waiting for the GPU",
                                  "the blocking kernel",
                                  "the cache flush",
                                  "the start event",
                                  "the empty kernel",
                                  "the injected work",
                                  "the injected work",
                                  "the stop event",
                                  "the clock stamp",
                                  "waiting for the GPU",
                                  "the time between the events"};

TEST_F(CudaGpuCalls, ThatSucceedMakeASampleAndGiveBackWhatTheyAllocated) {
  EXPECT_EQ(error_of_sample(), "");
  EXPECT_EQ(made_, std::size(kCalls));
  expect_nothing_left();
}

TEST_F(CudaGpuCalls, EndTheSampleWhicheverFailsAndSayWhatWasBeingDone) {
  for (const char* doing : kCalls) {
    ++failing_;
    made_ = 0;
    EXPECT_THAT(error_of_sample(), StartsWith(std::string(doing) + ": ")) << failing_;
    EXPECT_EQ(made_, failing_);
    expect_nothing_left();
  }
}

// Of a GPU whose L2 is larger than that of any that we know, four times that.
TEST_F(CudaGpuCalls, AllocateSeveralTimesTheL2ToFlushIt) {
  constexpr std::size_t kMib = std::size_t{1} << 20;
  for (const auto& [l2_mib, buffer_mib] : {std::pair{50, 256}, {200, 800}}) {
    EXPECT_CALL(calls_, attribute).Times(AnyNumber());
    EXPECT_CALL(calls_, attribute(_, cudaDevAttrL2CacheSize))
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

TEST_F(CudaGpuCalls, ThatFindNoMemorySayWhenWhatIsFreeIsUnknown) {
  EXPECT_CALL(calls_, allocate).WillOnce(Return(cudaErrorMemoryAllocation));
  EXPECT_CALL(calls_, available).WillOnce(Return(cudaErrorIllegalAddress));
  EXPECT_THAT(error_of_sample(),
              HasSubstr("needs 268435460 bytes, how many are available is unknown"));
}

TEST_F(CudaGpuCalls, ThatFindNoKernelForTheGpuSayHowToBuildIt) {
  EXPECT_CALL(calls_, launch).WillOnce(Return(cudaErrorNoKernelImageForDevice));
  EXPECT_THAT(error_of_sample(), HasSubstr("CMAKE_CUDA_ARCHITECTURES"));
}

TEST_F(CudaGpuCalls, PreconditionUntilTheTimeIsOver) {
  CudaGpu gpu(calls_, nullptr, kBlockTimeout);
  const Seconds start = gpu.now();
  const int before = made_;
  EXPECT_TRUE(gpu.precondition(Seconds(2e-3)));
  EXPECT_GE(gpu.now() - start, Seconds(2e-3));
  EXPECT_GT(made_ - before, 2 * 8);  // more than one round of launches
}

TEST_F(CudaGpuCalls, PreconditionNothingThatHasNoKernelForIt) {
  for (const auto& [which, value] :
       {std::pair{cudaDevAttrComputeCapabilityMajor, 8}, {cudaDevAttrMultiProcessorCount, 114}}) {
    EXPECT_CALL(calls_, attribute).Times(AnyNumber());
    EXPECT_CALL(calls_, attribute(_, which))
        .WillRepeatedly(DoAll(SetArgPointee<0>(value), Return(cudaSuccess)));
    CudaGpu gpu(calls_, nullptr, kBlockTimeout);
    EXPECT_FALSE(gpu.precondition(Seconds(0)));
    testing::Mock::VerifyAndClearExpectations(&calls_);
  }
}

TEST(SmClocks, SayTheFrequencyAtWhichTheyWent) {
  const SmClocks a{/*cycles=*/1980, /*ns=*/1000};
  const SmClocks b{/*cycles=*/30000, /*ns=*/20000};
  EXPECT_DOUBLE_EQ(mhz(a), 1980);
  EXPECT_DOUBLE_EQ(mhz(b), 1500);
}

}  // namespace
}  // namespace perfgate
