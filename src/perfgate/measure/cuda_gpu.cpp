#include "perfgate/measure/cuda_gpu.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <new>

#include "perfgate/core/errors.h"
#include "perfgate/measure/ceiling_kernels.h"
#include "perfgate/measure/cuda_check.h"
#include "perfgate/measure/cuda_kernels.h"

namespace perfgate {
namespace {

void check(cudaError_t code, const std::string& doing) {
  check_cuda(code, doing,
             code == cudaErrorNoKernelImageForDevice
                 ? "build perfgate for this GPU: CMAKE_CUDA_ARCHITECTURES"
                 : "the case's own kernels may have failed before: run it alone with --worker "
                   "under compute-sanitizer");
}

// Four times an H200's L2 and more, so that reading it leaves nothing of what was there.
std::size_t flush_size(CudaCalls& calls) {
  constexpr std::size_t kUsual = std::size_t{256} << 20;
  int l2_bytes = 0;
  check(calls.attribute(&l2_bytes, cudaDevAttrL2CacheSize), "the size of the L2");
  return std::max(kUsual, std::size_t{4} * static_cast<std::size_t>(l2_bytes));
}

int multiprocessors(CudaCalls& calls) {
  int out = 0;
  check(calls.attribute(&out, cudaDevAttrMultiProcessorCount), "the number of multiprocessors");
  return out;
}

}  // namespace

CudaGpu::Memory CudaGpu::allocate(std::size_t bytes, const std::string& purpose) {
  void* out = nullptr;
  const cudaError_t code = calls_.allocate(&out, bytes);
  if (code == cudaErrorMemoryAllocation) {
    std::size_t available = 0;
    const bool known = calls_.available(&available) == cudaSuccess;
    throw SystemError("out of memory: " + purpose + " needs " + std::to_string(bytes) + " bytes, " +
                          (known ? std::to_string(available) + " are available"
                                 : "how many are available is unknown"),
                      "nvidia-smi shows who holds the GPU's memory");
  }
  check(code, "memory for " + purpose);
  return {out, [&calls = calls_](void* memory) { calls.free(memory); }};
}

CudaGpu::Memory CudaGpu::allocate_shared(std::size_t bytes) {
  void* out = nullptr;
  check(calls_.allocate_shared(&out, bytes), "memory that host and GPU share");
  return {out, [&calls = calls_](void* memory) { calls.free_shared(memory); }};
}

CudaGpu::Event CudaGpu::make_event() {
  cudaEvent_t out = nullptr;
  check(calls_.make_event(&out), "an event");
  return {out, [&calls = calls_](cudaEvent_t event) { calls.destroy(event); }};
}

void CudaGpu::launch(const char* name, const std::function<void()>& kernel) {
  check(calls_.launch(kernel), name);
}

CudaGpu::CudaGpu(CudaCalls& calls, cudaStream_t stream, Seconds block_timeout)
    : calls_(calls),
      stream_(stream),
      block_timeout_(block_timeout),
      multiprocessors_(multiprocessors(calls)),
      flush_bytes_(flush_size(calls)),
      flush_buffer_(allocate(flush_bytes_ + sizeof(unsigned), "flushing the cache")),
      flush_ends_(allocate(kMaxSms * sizeof(SmClocks), "the SMs' clocks")),
      shared_memory_(allocate_shared(sizeof(Shared))),
      shared_(new (shared_memory_.get()) Shared{}),
      start_(make_event()),
      stop_(make_event()) {
  check(calls_.clear(flush_ends_.get(), kMaxSms * sizeof(SmClocks), stream_),
        "clearing the SMs' clocks");
  launch("filling the flush buffer",
         [&] { launch_fill_random(stream_, flush_buffer_.get(), flush_bytes_, 1); });
  wait();
}

void CudaGpu::block() {
  const auto timeout_ns = static_cast<std::uint64_t>(block_timeout_.count() * 1e9);
  ++ticket_;
  launch("the blocking kernel", [&] {
    launch_block(stream_, &shared_->released, &shared_->timed_out, ticket_, timeout_ns);
  });
}

void CudaGpu::unblock() {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  shared_->released = ticket_;
}

bool CudaGpu::block_timed_out() { return shared_->timed_out == ticket_; }

void CudaGpu::flush_cache() {
  auto* sink = reinterpret_cast<unsigned*>(static_cast<char*>(flush_buffer_.get()) + flush_bytes_);
  launch("the cache flush", [&] {
    launch_flush(stream_, flush_buffer_.get(), flush_bytes_, sink,
                 static_cast<SmClocks*>(flush_ends_.get()));
  });
}

void CudaGpu::record_start() { check(calls_.record(start_.get(), stream_), "the start event"); }

void CudaGpu::record_stop() { check(calls_.record(stop_.get(), stream_), "the stop event"); }

Seconds CudaGpu::elapsed() {
  float ms = 0;
  check(calls_.elapsed(&ms, start_.get(), stop_.get()), "the time between the events");
  return Seconds(1e-3 * static_cast<double>(ms));
}

void CudaGpu::stamp_clock() {
  launch("the clock stamp", [&] {
    launch_clock_stamp(stream_, static_cast<const SmClocks*>(flush_ends_.get()),
                       const_cast<SmClocks*>(&shared_->body),
                       const_cast<SmClocks*>(&shared_->behind));
  });
}

double CudaGpu::body_clock_mhz() { return mhz(shared_->body); }

double CudaGpu::clock_behind_mhz() { return mhz(shared_->behind); }

void CudaGpu::empty_kernel() {
  launch("the empty kernel", [&] { launch_empty(stream_); });
}

// It reads what the flush reads, which is far larger than the L2, from its beginning: the flush
// left its end there.
void CudaGpu::extra_work(Seconds length, Bound bound) {
  const auto ns = static_cast<std::uint64_t>(length.count() * 1e9);
  auto* sink = reinterpret_cast<unsigned*>(static_cast<char*>(flush_buffer_.get()) + flush_bytes_);
  launch("the injected work", [&] {
    bound == Bound::kMemory ? launch_injected_reads(stream_, multiprocessors_, ns,
                                                    flush_buffer_.get(), flush_bytes_, sink)
                            : launch_injected_math(stream_, multiprocessors_, ns, sink);
  });
}

// Integers, since any bits are a number: random floats would be infinite after a few sums.
bool CudaGpu::precondition(Seconds length) {
  if (!is_hopper_of_132(calls_)) {
    return false;
  }
  constexpr const char* kPurpose = "preconditioning";
  constexpr std::size_t kOperandBytes = (kTileRows + kTileColumns) * kTileDepthBytes;
  constexpr std::size_t kSumBytes = kTensorCoreBlocks * kTileRows * kTileColumns * 4;
  constexpr int kRepeats = 1000;  // about a millisecond
  const Memory operands = allocate(kOperandBytes, kPurpose);
  const Memory sums = allocate(kSumBytes, kPurpose);
  launch("filling what preconditioning multiplies",
         [&] { launch_fill_random(stream_, operands.get(), kOperandBytes, 1); });
  const auto* a = static_cast<const char*>(operands.get());
  const char* b = a + kTileRows * kTileDepthBytes;
  const Seconds end = now() + length;
  do {
    constexpr int kQueued = 8;  // between two looks at the time
    for (int i = 0; i < kQueued; ++i) {
      launch(kPurpose, [&] {
        queue_tensor_core(stream_, TensorCoreOperands::kInt8, a, b, sums.get(), kRepeats);
      });
    }
    wait();
  } while (now() < end);
  return true;
}

void CudaGpu::wait() { check(calls_.wait(stream_), "waiting for the GPU"); }

Seconds CudaGpu::now() { return std::chrono::steady_clock::now().time_since_epoch(); }

// Spinning, for a sleep of 20 us lasts 70 and more.
void CudaGpu::pause(Seconds length) {
  const Seconds end = now() + length;
  while (now() < end) {
  }
}

}  // namespace perfgate
