#pragma once
// The seam's real GPU: CUDA runtime calls, every return code checked.

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <memory>

#include "perfgate/measure/cuda_kernels.h"
#include "perfgate/measure/gpu.h"

namespace perfgate {

/// Frees what CUDA allocated; errors at that point have nobody left to tell.
struct CudaFree {
  void operator()(void* memory) const { cudaFree(memory); }
};
struct CudaFreeHost {
  void operator()(void* memory) const { cudaFreeHost(memory); }
};
struct CudaDestroyEvent {
  void operator()(CUevent_st* event) const { cudaEventDestroy(event); }
};

/// Queueing a thousand launches takes 5 ms; nothing that a host does in between takes this long.
constexpr Seconds kHoldTimeout{0.1};

class CudaGpu final : public Gpu {
 public:
  /// On the current device. `stream`: the one on which bodies queue their work.
  CudaGpu(cudaStream_t stream, Seconds hold_timeout);

  void hold() override;
  void release() override;
  bool hold_timed_out() override;
  void flush_cache() override;
  void record_start() override;
  void record_stop() override;
  Seconds elapsed() override;
  void stamp_clock() override;
  double body_clock_mhz() override;
  double clock_behind_mhz() override;
  void empty_kernel() override;
  void spin(Seconds length) override;
  bool load(Seconds length) override;
  void wait() override;
  Seconds now() override;
  void pause(Seconds length) override;

 private:
  // What host and device both see.
  struct Shared {
    int released;
    int timed_out;
    SmClocks body;
    SmClocks behind;
  };
  using Event = std::unique_ptr<CUevent_st, CudaDestroyEvent>;
  static Event make_event();

  cudaStream_t stream_;
  Seconds hold_timeout_;
  std::size_t flush_bytes_;
  std::unique_ptr<void, CudaFree> flush_buffer_;
  std::unique_ptr<void, CudaFree> flush_ends_;  // SmClocks[kMaxSms]
  std::unique_ptr<void, CudaFreeHost> shared_memory_;
  volatile Shared* shared_;
  Event start_;
  Event stop_;
  int ticket_ = 0;
};

}  // namespace perfgate
