#pragma once
// The seam's real GPU: CUDA runtime calls, every return code checked.

#include <cuda_runtime_api.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "perfgate/measure/cuda_calls.h"
#include "perfgate/measure/gpu.h"
#include "perfgate/measure/sm_clocks.h"

namespace perfgate {

/// Queueing a thousand launches takes 5 ms; nothing that a host does in between takes this long.
constexpr Seconds kBlockTimeout{0.1};

class CudaGpu final : public Gpu {
 public:
  /// On the current device; borrows `calls`. `stream`: the one on which bodies queue their work.
  CudaGpu(CudaCalls& calls, cudaStream_t stream, Seconds block_timeout);

  void block() override;
  void unblock() override;
  bool block_timed_out() override;
  void flush_cache() override;
  void record_start() override;
  void record_stop() override;
  Seconds elapsed() override;
  void stamp_clock() override;
  double body_clock_mhz() override;
  double clock_behind_mhz() override;
  void empty_kernel() override;
  void extra_work(Seconds length, Bound bound) override;
  bool precondition(Seconds length) override;
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
  using Memory = std::unique_ptr<void, std::function<void(void*)>>;
  using Event = std::unique_ptr<CUevent_st, std::function<void(cudaEvent_t)>>;

  /// `purpose`: "flushing the cache".
  Memory allocate(std::size_t bytes, const std::string& purpose);
  Memory allocate_shared(std::size_t bytes);
  Event make_event();
  void launch(const char* name, const std::function<void()>& kernel);

  CudaCalls& calls_;
  cudaStream_t stream_;
  Seconds block_timeout_;
  int multiprocessors_;
  std::size_t flush_bytes_;
  Memory flush_buffer_;
  Memory flush_ends_;  // SmClocks[kMaxSms]
  Memory shared_memory_;
  volatile Shared* shared_;
  Event start_;
  Event stop_;
  int ticket_ = 0;
};

}  // namespace perfgate
