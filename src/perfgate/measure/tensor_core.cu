// A warpgroup of Hopper multiplies 64 x 256 by 32 bytes in one instruction, straight from shared
// memory. Two of them take turns on a multiprocessor's tensor cores, on operands that never leave it.
// (PTX ISA 8.x, "Asynchronous Warpgroup Level Matrix Instructions".)

#include <cstdint>

#include "perfgate/measure/ceiling_kernels.h"
#include "perfgate/measure/cuda_check.h"

namespace {

constexpr int kThreads = 256;   // two warpgroups
constexpr int kGroupRows = 64;  // rows of `a` that one warpgroup multiplies
constexpr int kSums = 128;      // 64 x 256 sums on 128 threads
constexpr int kRowBytes = 128;  // of a slice: the widest swizzle
constexpr int kStepBytes = 32;  // of depth that one instruction multiplies
constexpr int kSlices = perfgate::kTileDepthBytes / kRowBytes;
constexpr int kASliceBytes = perfgate::kTileRows * kRowBytes;
constexpr int kBSliceBytes = perfgate::kTileColumns * kRowBytes;
constexpr int kSharedBytes = kSlices * (kASliceBytes + kBSliceBytes) + 1024;  // and alignment

// A K-major tile with 128-byte swizzle: eight rows of 128 bytes apart from the next eight by 1024.
__device__ std::uint64_t descriptor(const unsigned char* tile) {
  const auto address = static_cast<std::uint64_t>(__cvta_generic_to_shared(tile));
  constexpr std::uint64_t kEightRows = 1024;
  constexpr std::uint64_t kSwizzle128 = 1;
  return ((address & 0x3ffff) >> 4) | (std::uint64_t{1} << 16) | ((kEightRows >> 4) << 32) |
         (kSwizzle128 << 62);
}

// Rows of 128 bytes of `matrix` into a swizzled tile, 16 bytes at a time.
__device__ void load_slice(const unsigned char* matrix, int rows, int slice, unsigned char* tile) {
  for (int i = threadIdx.x; i < rows * 8; i += kThreads) {
    const int row = i / 8;
    const int chunk = i % 8;
    const auto* from = reinterpret_cast<const int4*>(matrix + row * perfgate::kTileDepthBytes +
                                                     slice * kRowBytes + chunk * 16);
    *reinterpret_cast<int4*>(tile + row * kRowBytes + ((chunk ^ (row & 7)) << 4)) = *from;
  }
}

// One asm statement names all 128 registers: as text, and as operands of either constraint.
#define PERFGATE_TEXT_8(a, b, c, d, e, f, g, h) \
  "%" #a ", %" #b ", %" #c ", %" #d ", %" #e ", %" #f ", %" #g ", %" #h
#define PERFGATE_SUMS_8(k, i)                                                              \
  k(sum[i]), k(sum[i + 1]), k(sum[i + 2]), k(sum[i + 3]), k(sum[i + 4]), k(sum[i + 5]),    \
      k(sum[i + 6]), k(sum[i + 7])
#define PERFGATE_SUMS_64(k, i)                                                             \
  PERFGATE_SUMS_8(k, i), PERFGATE_SUMS_8(k, i + 8), PERFGATE_SUMS_8(k, i + 16),            \
      PERFGATE_SUMS_8(k, i + 24), PERFGATE_SUMS_8(k, i + 32), PERFGATE_SUMS_8(k, i + 40),  \
      PERFGATE_SUMS_8(k, i + 48), PERFGATE_SUMS_8(k, i + 56)
#define PERFGATE_WGMMA(instruction, modifiers, constraint)                                 \
  asm volatile("{\n.reg .pred accumulate;\nsetp.ne.b32 accumulate, %130, 0;\n"            \
               "wgmma.mma_async.sync.aligned." instruction " {" PERFGATE_REGISTERS           \
               "}, %128, %129, accumulate" modifiers ";\n}\n"                              \
               : PERFGATE_SUMS_64(constraint, 0), PERFGATE_SUMS_64(constraint, 64)         \
               : "l"(a), "l"(b), "r"(1))
#define PERFGATE_REGISTERS                                                                 \
  PERFGATE_TEXT_8(0, 1, 2, 3, 4, 5, 6, 7) ", " \
  PERFGATE_TEXT_8(8, 9, 10, 11, 12, 13, 14, 15) ", " \
  PERFGATE_TEXT_8(16, 17, 18, 19, 20, 21, 22, 23) ", " \
  PERFGATE_TEXT_8(24, 25, 26, 27, 28, 29, 30, 31) ", " \
  PERFGATE_TEXT_8(32, 33, 34, 35, 36, 37, 38, 39) ", " \
  PERFGATE_TEXT_8(40, 41, 42, 43, 44, 45, 46, 47) ", " \
  PERFGATE_TEXT_8(48, 49, 50, 51, 52, 53, 54, 55) ", " \
  PERFGATE_TEXT_8(56, 57, 58, 59, 60, 61, 62, 63) ", " \
  PERFGATE_TEXT_8(64, 65, 66, 67, 68, 69, 70, 71) ", " \
  PERFGATE_TEXT_8(72, 73, 74, 75, 76, 77, 78, 79) ", " \
  PERFGATE_TEXT_8(80, 81, 82, 83, 84, 85, 86, 87) ", " \
  PERFGATE_TEXT_8(88, 89, 90, 91, 92, 93, 94, 95) ", " \
  PERFGATE_TEXT_8(96, 97, 98, 99, 100, 101, 102, 103) ", " \
  PERFGATE_TEXT_8(104, 105, 106, 107, 108, 109, 110, 111) ", " \
  PERFGATE_TEXT_8(112, 113, 114, 115, 116, 117, 118, 119) ", " \
  PERFGATE_TEXT_8(120, 121, 122, 123, 124, 125, 126, 127)

// What differs between the operands' types: the instruction, and what sums are kept in.
struct Bf16 {
  using Sum = float;
  __device__ static void multiply_add(Sum (&sum)[kSums], std::uint64_t a, std::uint64_t b);
};
struct Fp16 {
  using Sum = float;
  __device__ static void multiply_add(Sum (&sum)[kSums], std::uint64_t a, std::uint64_t b);
};
struct Tf32 {
  using Sum = float;
  __device__ static void multiply_add(Sum (&sum)[kSums], std::uint64_t a, std::uint64_t b);
};
struct Int8 {
  using Sum = std::int32_t;
  __device__ static void multiply_add(Sum (&sum)[kSums], std::uint64_t a, std::uint64_t b);
};

#ifdef __CUDA_ARCH_FEAT_SM90_ALL
#define PERFGATE_FLOAT(x) "+f"(x)
#define PERFGATE_INTEGER(x) "+r"(x)
__device__ __forceinline__ void Bf16::multiply_add(Sum (&sum)[kSums], std::uint64_t a,
                                                   std::uint64_t b) {
  PERFGATE_WGMMA("m64n256k16.f32.bf16.bf16", ", 1, 1, 0, 0", PERFGATE_FLOAT);
}
__device__ __forceinline__ void Fp16::multiply_add(Sum (&sum)[kSums], std::uint64_t a,
                                                   std::uint64_t b) {
  PERFGATE_WGMMA("m64n256k16.f32.f16.f16", ", 1, 1, 0, 0", PERFGATE_FLOAT);
}
__device__ __forceinline__ void Tf32::multiply_add(Sum (&sum)[kSums], std::uint64_t a,
                                                   std::uint64_t b) {
  PERFGATE_WGMMA("m64n256k8.f32.tf32.tf32", ", 1, 1", PERFGATE_FLOAT);
}
__device__ __forceinline__ void Int8::multiply_add(Sum (&sum)[kSums], std::uint64_t a,
                                                   std::uint64_t b) {
  PERFGATE_WGMMA("m64n256k32.s32.s8.s8", "", PERFGATE_INTEGER);
}
#endif

template <class Operand>
__device__ void repeat_product(const unsigned char* a, const unsigned char* b,
                               typename Operand::Sum* out, int repeats) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  extern __shared__ unsigned char memory[];
  auto* tiles = reinterpret_cast<unsigned char*>(
      (reinterpret_cast<std::uintptr_t>(memory) + 1023) / 1024 * 1024);
  unsigned char* b_tiles = tiles + kSlices * kASliceBytes;
  for (int slice = 0; slice < kSlices; ++slice) {
    load_slice(a, perfgate::kTileRows, slice, tiles + slice * kASliceBytes);
    load_slice(b, perfgate::kTileColumns, slice, b_tiles + slice * kBSliceBytes);
  }
  asm volatile("fence.proxy.async;\n" ::: "memory");  // wgmma reads by another path than we wrote
  __syncthreads();

  const int group = threadIdx.x / 128;
  std::uint64_t a_at[kSlices];
  std::uint64_t b_at[kSlices];
  for (int slice = 0; slice < kSlices; ++slice) {
    a_at[slice] = descriptor(tiles + slice * kASliceBytes + group * kGroupRows * kRowBytes);
    b_at[slice] = descriptor(b_tiles + slice * kBSliceBytes);
  }
  typename Operand::Sum sum[kSums];
#pragma unroll
  for (int i = 0; i < kSums; ++i) {
    sum[i] = 0;
  }
  asm volatile("wgmma.fence.sync.aligned;\n" ::: "memory");
  for (int repeat = 0; repeat < repeats; ++repeat) {
#pragma unroll
    for (int slice = 0; slice < kSlices; ++slice) {
#pragma unroll
      for (int step = 0; step < kRowBytes / kStepBytes; ++step) {
        constexpr std::uint64_t kStep = kStepBytes >> 4;  // as a descriptor counts
        Operand::multiply_add(sum, a_at[slice] + step * kStep, b_at[slice] + step * kStep);
      }
    }
    asm volatile("wgmma.commit_group.sync.aligned;\n" ::: "memory");
  }
  asm volatile("wgmma.wait_group.sync.aligned 0;\n" ::: "memory");

  // Thread t of a warpgroup holds rows t/32*16 + t%32/4 (and 8 below), columns 2*(t%4) + 8j.
  const int thread = threadIdx.x % 128;
  const int row = group * kGroupRows + thread / 32 * 16 + thread % 32 / 4;
  auto* tile = out + std::size_t{blockIdx.x} * perfgate::kTileRows * perfgate::kTileColumns;
#pragma unroll
  for (int j = 0; j < kSums / 4; ++j) {
    const int column = thread % 4 * 2 + 8 * j;
    auto* top = tile + row * perfgate::kTileColumns + column;
    auto* below = top + 8 * perfgate::kTileColumns;
    top[0] = sum[4 * j];
    top[1] = sum[4 * j + 1];
    below[0] = sum[4 * j + 2];
    below[1] = sum[4 * j + 3];
  }
#else
  static_cast<void>(a), static_cast<void>(b), static_cast<void>(out), static_cast<void>(repeats);
#endif
}

}  // namespace

extern "C" {

__global__ void __launch_bounds__(kThreads, 1)
    perfgate_tensor_core_bf16(const unsigned char* a, const unsigned char* b, float* out,
                              int repeats) {
  repeat_product<Bf16>(a, b, out, repeats);
}

__global__ void __launch_bounds__(kThreads, 1)
    perfgate_tensor_core_fp16(const unsigned char* a, const unsigned char* b, float* out,
                              int repeats) {
  repeat_product<Fp16>(a, b, out, repeats);
}

__global__ void __launch_bounds__(kThreads, 1)
    perfgate_tensor_core_tf32(const unsigned char* a, const unsigned char* b, float* out,
                              int repeats) {
  repeat_product<Tf32>(a, b, out, repeats);
}

__global__ void __launch_bounds__(kThreads, 1)
    perfgate_tensor_core_int8(const unsigned char* a, const unsigned char* b, std::int32_t* out,
                              int repeats) {
  repeat_product<Int8>(a, b, out, repeats);
}

}  // extern "C"

namespace perfgate {
namespace {

template <class Kernel, class Sum>
void launch(Kernel kernel, void* stream, const void* a, const void* b, Sum* out, int repeats) {
  constexpr const char* kMend = "it is for compute capability 9.0";
  check_cuda(
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kSharedBytes),
      "the tensor-core kernel's shared memory", kMend);
  kernel<<<kTensorCoreBlocks, kThreads, kSharedBytes, static_cast<cudaStream_t>(stream)>>>(
      static_cast<const unsigned char*>(a), static_cast<const unsigned char*>(b), out, repeats);
  check_cuda(cudaGetLastError(), "the tensor-core kernel", kMend);
}

}  // namespace

void queue_tensor_core(void* stream, TensorCoreOperands operands, const void* a, const void* b,
                       void* out, int repeats) {
  switch (operands) {
    case TensorCoreOperands::kBf16:
      launch(perfgate_tensor_core_bf16, stream, a, b, static_cast<float*>(out), repeats);
      break;
    case TensorCoreOperands::kFp16:
      launch(perfgate_tensor_core_fp16, stream, a, b, static_cast<float*>(out), repeats);
      break;
    case TensorCoreOperands::kTf32:
      launch(perfgate_tensor_core_tf32, stream, a, b, static_cast<float*>(out), repeats);
      break;
    case TensorCoreOperands::kInt8:
      launch(perfgate_tensor_core_int8, stream, a, b, static_cast<std::int32_t*>(out), repeats);
      break;
  }
}

}  // namespace perfgate
