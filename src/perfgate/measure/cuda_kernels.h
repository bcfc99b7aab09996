#pragma once
// Launchers of the sampler's own kernels. Nothing here waits or checks: the caller asks
// cudaGetLastError.

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "perfgate/measure/sm_clocks.h"

namespace perfgate {

constexpr std::size_t kMaxSms = 1024;

/// Blocks the stream until *released >= ticket, or for `timeout_ns`, and then sets *timed_out =
/// ticket. Both lie in mapped host memory.
void launch_block(cudaStream_t stream, const volatile int* released, volatile int* timed_out,
                  int ticket, std::uint64_t timeout_ns);

/// Reads `bytes` (a multiple of 16) with default caching, so that they replace what the L2 holds.
/// `ends`: [kMaxSms], each SM's clocks when it was done.
void launch_flush(cudaStream_t stream, const void* data, std::size_t bytes, unsigned* sink,
                  SmClocks* ends);

/// How far an SM's clocks went since its entry of `ends`, and then over about 20 us.
void launch_clock_stamp(cudaStream_t stream, const SmClocks* ends, SmClocks* since_end,
                        SmClocks* behind);

void launch_empty(cudaStream_t stream);
/// Multiply-adds on every multiprocessor for `ns`. `sink`: never written.
void launch_injected_math(cudaStream_t stream, int multiprocessors, std::uint64_t ns,
                          unsigned* sink);
/// Reads `data`, `bytes` (a multiple of 16, and several MiB), over and over for `ns`. `sink`: never
/// written where the data are random.
void launch_injected_reads(cudaStream_t stream, int multiprocessors, std::uint64_t ns,
                           const void* data, std::size_t bytes, unsigned* sink);
void launch_fill_random(cudaStream_t stream, void* data, std::size_t bytes, std::uint64_t seed);

}  // namespace perfgate
