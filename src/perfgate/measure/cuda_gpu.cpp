#include "perfgate/measure/cuda_gpu.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <string>

#include "perfgate/core/errors.h"
#include "perfgate/measure/ceiling_kernels.h"
#include "perfgate/measure/cuda_kernels.h"

namespace perfgate {
namespace {

void check(cudaError_t code, const char* doing) {
  if (code != cudaSuccess) {
    throw SystemError(std::string(doing) + ": " + cudaGetErrorString(code) + " (CUDA)",
                      code == cudaErrorNoKernelImageForDevice
                          ? "build perfgate for this GPU: CMAKE_CUDA_ARCHITECTURES"
                          : "the case's own kernels may have failed before: run it alone with "
                            "--worker under compute-sanitizer");
  }
}

// Four times any current L2, so that reading it leaves nothing of what was there.
std::size_t flush_size() {
  constexpr std::size_t kUsual = std::size_t{256} << 20;
  int device = 0;
  int l2_bytes = 0;
  check(cudaGetDevice(&device), "which device is current");
  check(cudaDeviceGetAttribute(&l2_bytes, cudaDevAttrL2CacheSize, device), "the size of the L2");
  return std::max(kUsual, std::size_t{4} * static_cast<std::size_t>(l2_bytes));
}

double mhz(const volatile SmClocks& went) {
  return 1e3 * static_cast<double>(went.cycles) / static_cast<double>(went.ns);
}

// `purpose`: "flushing the cache".
void* allocate(std::size_t bytes, const std::string& purpose) {
  void* out = nullptr;
  const cudaError_t code = cudaMalloc(&out, bytes);
  if (code == cudaErrorMemoryAllocation) {
    std::size_t available = 0;
    std::size_t total = 0;
    static_cast<void>(cudaMemGetInfo(&available, &total));
    throw SystemError("out of memory: " + purpose + " needs " + std::to_string(bytes) + " bytes, " +
                          std::to_string(available) + " are available",
                      "nvidia-smi shows who holds the GPU's memory");
  }
  check(code, ("memory for " + purpose).c_str());
  return out;
}

void* allocate_shared(std::size_t bytes) {
  void* out = nullptr;
  check(cudaHostAlloc(&out, bytes, cudaHostAllocMapped), "memory that host and GPU share");
  return out;
}

}  // namespace

CudaGpu::Event CudaGpu::make_event() {
  cudaEvent_t out = nullptr;
  check(cudaEventCreate(&out), "an event");
  return Event(out);
}

CudaGpu::CudaGpu(cudaStream_t stream, Seconds hold_timeout)
    : stream_(stream),
      hold_timeout_(hold_timeout),
      flush_bytes_(flush_size()),
      flush_buffer_(allocate(flush_bytes_ + sizeof(unsigned), "flushing the cache")),
      flush_ends_(allocate(kMaxSms * sizeof(SmClocks), "the SMs' clocks")),
      shared_memory_(allocate_shared(sizeof(Shared))),
      shared_(new (shared_memory_.get()) Shared{}),
      start_(make_event()),
      stop_(make_event()) {
  check(cudaMemsetAsync(flush_ends_.get(), 0, kMaxSms * sizeof(SmClocks), stream_),
        "clearing the SMs' clocks");
  launch_fill_random(stream_, flush_buffer_.get(), flush_bytes_, 1);
  check(cudaGetLastError(), "filling the flush buffer");
  wait();
}

void CudaGpu::hold() {
  const auto timeout_ns = static_cast<std::uint64_t>(hold_timeout_.count() * 1e9);
  launch_hold(stream_, &shared_->released, &shared_->timed_out, ++ticket_, timeout_ns);
  check(cudaGetLastError(), "the hold");
}

void CudaGpu::release() {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  shared_->released = ticket_;
}

bool CudaGpu::hold_timed_out() { return shared_->timed_out == ticket_; }

void CudaGpu::flush_cache() {
  auto* sink = reinterpret_cast<unsigned*>(static_cast<char*>(flush_buffer_.get()) + flush_bytes_);
  launch_flush(stream_, flush_buffer_.get(), flush_bytes_, sink,
               static_cast<SmClocks*>(flush_ends_.get()));
  check(cudaGetLastError(), "the cache flush");
}

void CudaGpu::record_start() { check(cudaEventRecord(start_.get(), stream_), "the start event"); }

void CudaGpu::record_stop() { check(cudaEventRecord(stop_.get(), stream_), "the stop event"); }

Seconds CudaGpu::elapsed() {
  float ms = 0;
  check(cudaEventElapsedTime(&ms, start_.get(), stop_.get()), "the time between the events");
  return Seconds(1e-3 * static_cast<double>(ms));
}

void CudaGpu::stamp_clock() {
  launch_clock_stamp(stream_, static_cast<const SmClocks*>(flush_ends_.get()),
                     const_cast<SmClocks*>(&shared_->body),
                     const_cast<SmClocks*>(&shared_->behind));
  check(cudaGetLastError(), "the clock stamp");
}

double CudaGpu::body_clock_mhz() { return mhz(shared_->body); }

double CudaGpu::clock_behind_mhz() { return mhz(shared_->behind); }

void CudaGpu::empty_kernel() {
  launch_empty(stream_);
  check(cudaGetLastError(), "the empty kernel");
}

void CudaGpu::spin(Seconds length) {
  launch_spin(stream_, static_cast<std::uint64_t>(length.count() * 1e9));
  check(cudaGetLastError(), "the spin");
}

// Integers, since any bits are a number: random floats would be infinite after a few sums.
bool CudaGpu::load(Seconds length) {
  if (!is_hopper_of_132()) {
    return false;
  }
  constexpr const char* kPurpose = "loading the tensor cores";
  constexpr std::size_t kOperandBytes = (kTileRows + kTileColumns) * kTileDepthBytes;
  constexpr std::size_t kSumBytes = kTensorCoreBlocks * kTileRows * kTileColumns * 4;
  constexpr int kRepeats = 1000;  // about a millisecond
  const std::unique_ptr<void, CudaFree> operands(allocate(kOperandBytes, kPurpose));
  const std::unique_ptr<void, CudaFree> sums(allocate(kSumBytes, kPurpose));
  launch_fill_random(stream_, operands.get(), kOperandBytes, 1);
  check(cudaGetLastError(), "filling the load's operands");
  const auto* a = static_cast<const char*>(operands.get());
  const char* b = a + kTileRows * kTileDepthBytes;
  const Seconds end = now() + length;
  while (now() < end) {
    constexpr int kQueued = 8;  // between two looks at the time
    for (int i = 0; i < kQueued; ++i) {
      queue_tensor_core(stream_, TensorCoreOperands::kInt8, a, b, sums.get(), kRepeats);
    }
    wait();
  }
  return true;
}

void CudaGpu::wait() { check(cudaStreamSynchronize(stream_), "waiting for the GPU"); }

Seconds CudaGpu::now() { return std::chrono::steady_clock::now().time_since_epoch(); }

// Spinning, for a sleep of 20 us lasts 70 and more.
void CudaGpu::pause(Seconds length) {
  const Seconds end = now() + length;
  while (now() < end) {
  }
}

}  // namespace perfgate
