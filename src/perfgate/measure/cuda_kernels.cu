// The sampler's own kernels. C linkage, so that a trace shows their names as they stand here.

#include "perfgate/measure/cuda_kernels.h"

namespace {

__device__ std::uint64_t global_ns() {
  std::uint64_t ns;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
  return ns;
}

__device__ perfgate::SmClocks sm_clocks() {
  return {static_cast<std::uint64_t>(clock64()), global_ns()};
}

__device__ perfgate::SmClocks since(const perfgate::SmClocks& start) {
  const perfgate::SmClocks now = sm_clocks();
  return {now.cycles - start.cycles, now.ns - start.ns};
}

__device__ unsigned sm_index() {
  unsigned index;
  asm("mov.u32 %0, %%smid;" : "=r"(index));
  return index;
}

// splitmix64 (Steele, Lea and Flood, OOPSLA 2014).
__device__ std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

constexpr int kThreads = 512;
constexpr int kInjectedBlocks = 2;  // a multiprocessor; resident at once on any since sm_70

}  // namespace

extern "C" {

__global__ void perfgate_block(const volatile int* released, volatile int* timed_out, int ticket,
                               std::uint64_t timeout_ns) {
  const std::uint64_t start = global_ns();
  while (*released < ticket) {
    if (global_ns() - start > timeout_ns) {
      *timed_out = ticket;
      return;
    }
  }
}

__global__ void perfgate_flush(const uint4* data, std::size_t count, unsigned* sink,
                               perfgate::SmClocks* ends) {
  unsigned all = 0;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride) {
    const uint4 word = data[i];
    all |= word.x ^ word.y ^ word.z ^ word.w;
  }
  if (all == 0) {  // never, on random data: keeps the loads
    *sink = all;
  }
  if (threadIdx.x == 0) {  // an SM's last block comes last
    ends[sm_index()] = sm_clocks();
  }
}

__global__ void perfgate_clock_stamp(const perfgate::SmClocks* ends, perfgate::SmClocks* since_end,
                                     perfgate::SmClocks* behind) {
  *since_end = since(ends[sm_index()]);
  // From one tick of the timer to another, or its coarseness would be the result.
  const std::uint64_t before = global_ns();
  std::uint64_t start = before;
  while (start == before) {
    start = global_ns();
  }
  const perfgate::SmClocks begin = {static_cast<std::uint64_t>(clock64()), start};
  while (global_ns() - start < 20'000) {
  }
  *behind = since(begin);
}

__global__ void perfgate_empty() {}

// Every block stops by itself, `ns` after it began; all are resident, and so begin together.
__global__ void perfgate_injected_math(std::uint64_t ns, unsigned* sink) {
  const std::uint64_t start = global_ns();
  constexpr int kChains = 4;  // with the other warps enough to hide an instruction's latency
  float sums[kChains];
  for (int i = 0; i < kChains; ++i) {
    sums[i] = static_cast<float>(threadIdx.x + i);
  }
  do {
#pragma unroll
    for (int step = 0; step < 32; ++step) {
#pragma unroll
      for (int i = 0; i < kChains; ++i) {
        sums[i] = fmaf(sums[i], 0.999F, 1.0F);  // goes to 1,000
      }
    }
  } while (global_ns() - start < ns);
  if (sums[0] + sums[1] + sums[2] + sums[3] < 0) {  // never: keeps the sums
    *sink = 1;
  }
}

__global__ void perfgate_injected_reads(std::uint64_t ns, const uint4* data, std::size_t count,
                                        unsigned* sink) {
  const std::uint64_t start = global_ns();
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  std::size_t next = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  unsigned all = 0;
  do {
#pragma unroll
    for (int i = 0; i < 2; ++i) {  // few, so that it ends in time
      const uint4 word = data[next];
      all |= word.x ^ word.y ^ word.z ^ word.w;
      next += stride;
      next = next < count ? next : next - count;
    }
  } while (global_ns() - start < ns);
  if (all == 0) {  // never, on random data: keeps the loads
    *sink = all;
  }
}

__global__ void perfgate_fill_random(std::uint64_t* data, std::size_t count, std::uint64_t seed) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride) {
    data[i] = mixed(seed + i);
  }
}

}  // extern "C"

namespace perfgate {

void launch_block(cudaStream_t stream, const volatile int* released, volatile int* timed_out,
                  int ticket, std::uint64_t timeout_ns) {
  perfgate_block<<<1, 1, 0, stream>>>(released, timed_out, ticket, timeout_ns);
}

void launch_flush(cudaStream_t stream, const void* data, std::size_t bytes, unsigned* sink,
                  SmClocks* ends) {
  perfgate_flush<<<2048, kThreads, 0, stream>>>(static_cast<const uint4*>(data),
                                                bytes / sizeof(uint4), sink, ends);
}

void launch_clock_stamp(cudaStream_t stream, const SmClocks* ends, SmClocks* since_end,
                        SmClocks* behind) {
  perfgate_clock_stamp<<<1, 1, 0, stream>>>(ends, since_end, behind);
}

void launch_empty(cudaStream_t stream) { perfgate_empty<<<1, 1, 0, stream>>>(); }

void launch_injected_math(cudaStream_t stream, int multiprocessors, std::uint64_t ns,
                          unsigned* sink) {
  perfgate_injected_math<<<kInjectedBlocks * multiprocessors, kThreads, 0, stream>>>(ns, sink);
}

void launch_injected_reads(cudaStream_t stream, int multiprocessors, std::uint64_t ns,
                           const void* data, std::size_t bytes, unsigned* sink) {
  perfgate_injected_reads<<<kInjectedBlocks * multiprocessors, kThreads, 0, stream>>>(
      ns, static_cast<const uint4*>(data), bytes / sizeof(uint4), sink);
}

void launch_fill_random(cudaStream_t stream, void* data, std::size_t bytes, std::uint64_t seed) {
  perfgate_fill_random<<<2048, kThreads, 0, stream>>>(static_cast<std::uint64_t*>(data),
                                                      bytes / sizeof(std::uint64_t), seed);
}

}  // namespace perfgate
