// A warpgroup of Hopper multiplies 64 x 256 x 16 in one instruction, straight from shared memory.
// Two of them take turns on a multiprocessor's tensor cores, on operands that never leave it.
// (PTX ISA 8.x, "Asynchronous Warpgroup Level Matrix Instructions".)

#include <cuda_bf16.h>

#include <string>

#include "perfgate/core/errors.h"
#include "perfgate/measure/ceiling_kernels.h"

namespace {

constexpr int kThreads = 256;     // two warpgroups
constexpr int kGroupRows = 64;    // rows of `a` that one warpgroup multiplies
constexpr int kSums = 128;        // 64 x 256 sums on 128 threads
constexpr int kSliceDepth = 64;   // bf16 in a row of 128 bytes, the widest swizzle
constexpr int kSlices = perfgate::kTileDepth / kSliceDepth;
constexpr int kRowBytes = 128;
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

// Rows of 64 bf16 of `matrix` into a swizzled tile, 16 bytes at a time.
__device__ void load_slice(const __nv_bfloat16* matrix, int rows, int slice, unsigned char* tile) {
  for (int i = threadIdx.x; i < rows * 8; i += kThreads) {
    const int row = i / 8;
    const int chunk = i % 8;
    const auto* from = reinterpret_cast<const int4*>(matrix + row * perfgate::kTileDepth +
                                                     slice * kSliceDepth + chunk * 8);
    *reinterpret_cast<int4*>(tile + row * kRowBytes + ((chunk ^ (row & 7)) << 4)) = *from;
  }
}

#ifdef __CUDA_ARCH_FEAT_SM90_ALL
__device__ __forceinline__ void multiply_add(float (&sum)[kSums], std::uint64_t a,
                                             std::uint64_t b) {
  asm volatile(
      "{\n.reg .pred accumulate;\nsetp.ne.b32 accumulate, %130, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 {"
      "%0, %1, %2, %3, %4, %5, %6, %7, "
      "%8, %9, %10, %11, %12, %13, %14, %15, "
      "%16, %17, %18, %19, %20, %21, %22, %23, "
      "%24, %25, %26, %27, %28, %29, %30, %31, "
      "%32, %33, %34, %35, %36, %37, %38, %39, "
      "%40, %41, %42, %43, %44, %45, %46, %47, "
      "%48, %49, %50, %51, %52, %53, %54, %55, "
      "%56, %57, %58, %59, %60, %61, %62, %63, "
      "%64, %65, %66, %67, %68, %69, %70, %71, "
      "%72, %73, %74, %75, %76, %77, %78, %79, "
      "%80, %81, %82, %83, %84, %85, %86, %87, "
      "%88, %89, %90, %91, %92, %93, %94, %95, "
      "%96, %97, %98, %99, %100, %101, %102, %103, "
      "%104, %105, %106, %107, %108, %109, %110, %111, "
      "%112, %113, %114, %115, %116, %117, %118, %119, "
      "%120, %121, %122, %123, %124, %125, %126, %127"
      "}, %128, %129, accumulate, 1, 1, 0, 0;\n}\n"
      :
        "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3]),
        "+f"(sum[4]), "+f"(sum[5]), "+f"(sum[6]), "+f"(sum[7]),
        "+f"(sum[8]), "+f"(sum[9]), "+f"(sum[10]), "+f"(sum[11]),
        "+f"(sum[12]), "+f"(sum[13]), "+f"(sum[14]), "+f"(sum[15]),
        "+f"(sum[16]), "+f"(sum[17]), "+f"(sum[18]), "+f"(sum[19]),
        "+f"(sum[20]), "+f"(sum[21]), "+f"(sum[22]), "+f"(sum[23]),
        "+f"(sum[24]), "+f"(sum[25]), "+f"(sum[26]), "+f"(sum[27]),
        "+f"(sum[28]), "+f"(sum[29]), "+f"(sum[30]), "+f"(sum[31]),
        "+f"(sum[32]), "+f"(sum[33]), "+f"(sum[34]), "+f"(sum[35]),
        "+f"(sum[36]), "+f"(sum[37]), "+f"(sum[38]), "+f"(sum[39]),
        "+f"(sum[40]), "+f"(sum[41]), "+f"(sum[42]), "+f"(sum[43]),
        "+f"(sum[44]), "+f"(sum[45]), "+f"(sum[46]), "+f"(sum[47]),
        "+f"(sum[48]), "+f"(sum[49]), "+f"(sum[50]), "+f"(sum[51]),
        "+f"(sum[52]), "+f"(sum[53]), "+f"(sum[54]), "+f"(sum[55]),
        "+f"(sum[56]), "+f"(sum[57]), "+f"(sum[58]), "+f"(sum[59]),
        "+f"(sum[60]), "+f"(sum[61]), "+f"(sum[62]), "+f"(sum[63]),
        "+f"(sum[64]), "+f"(sum[65]), "+f"(sum[66]), "+f"(sum[67]),
        "+f"(sum[68]), "+f"(sum[69]), "+f"(sum[70]), "+f"(sum[71]),
        "+f"(sum[72]), "+f"(sum[73]), "+f"(sum[74]), "+f"(sum[75]),
        "+f"(sum[76]), "+f"(sum[77]), "+f"(sum[78]), "+f"(sum[79]),
        "+f"(sum[80]), "+f"(sum[81]), "+f"(sum[82]), "+f"(sum[83]),
        "+f"(sum[84]), "+f"(sum[85]), "+f"(sum[86]), "+f"(sum[87]),
        "+f"(sum[88]), "+f"(sum[89]), "+f"(sum[90]), "+f"(sum[91]),
        "+f"(sum[92]), "+f"(sum[93]), "+f"(sum[94]), "+f"(sum[95]),
        "+f"(sum[96]), "+f"(sum[97]), "+f"(sum[98]), "+f"(sum[99]),
        "+f"(sum[100]), "+f"(sum[101]), "+f"(sum[102]), "+f"(sum[103]),
        "+f"(sum[104]), "+f"(sum[105]), "+f"(sum[106]), "+f"(sum[107]),
        "+f"(sum[108]), "+f"(sum[109]), "+f"(sum[110]), "+f"(sum[111]),
        "+f"(sum[112]), "+f"(sum[113]), "+f"(sum[114]), "+f"(sum[115]),
        "+f"(sum[116]), "+f"(sum[117]), "+f"(sum[118]), "+f"(sum[119]),
        "+f"(sum[120]), "+f"(sum[121]), "+f"(sum[122]), "+f"(sum[123]),
        "+f"(sum[124]), "+f"(sum[125]), "+f"(sum[126]), "+f"(sum[127])
      : "l"(a), "l"(b), "r"(1));
}
#endif

}  // namespace

extern "C" __global__ void __launch_bounds__(kThreads, 1)
    perfgate_tensor_core(const __nv_bfloat16* a, const __nv_bfloat16* b, float* out, int repeats) {
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
  float sum[kSums];
#pragma unroll
  for (int i = 0; i < kSums; ++i) {
    sum[i] = 0;
  }
  asm volatile("wgmma.fence.sync.aligned;\n" ::: "memory");
  for (int repeat = 0; repeat < repeats; ++repeat) {
#pragma unroll
    for (int slice = 0; slice < kSlices; ++slice) {
#pragma unroll
      for (int step = 0; step < kSliceDepth / 16; ++step) {
        constexpr std::uint64_t kSixteenDeep = 32 >> 4;  // bytes, as a descriptor counts them
        multiply_add(sum, a_at[slice] + step * kSixteenDeep, b_at[slice] + step * kSixteenDeep);
      }
    }
    asm volatile("wgmma.commit_group.sync.aligned;\n" ::: "memory");
  }
  asm volatile("wgmma.wait_group.sync.aligned 0;\n" ::: "memory");

  // Thread t of a warpgroup holds rows t/32*16 + t%32/4 (and 8 below), columns 2*(t%4) + 8j.
  const int thread = threadIdx.x % 128;
  const int row = group * kGroupRows + thread / 32 * 16 + thread % 32 / 4;
  float* tile = out + std::size_t{blockIdx.x} * perfgate::kTileRows * perfgate::kTileColumns;
#pragma unroll
  for (int j = 0; j < kSums / 4; ++j) {
    const int column = thread % 4 * 2 + 8 * j;
    float* top = tile + row * perfgate::kTileColumns + column;
    float* below = top + 8 * perfgate::kTileColumns;
    top[0] = sum[4 * j];
    top[1] = sum[4 * j + 1];
    below[0] = sum[4 * j + 2];
    below[1] = sum[4 * j + 3];
  }
#else
  static_cast<void>(a), static_cast<void>(b), static_cast<void>(out), static_cast<void>(repeats);
#endif
}

namespace perfgate {

void queue_tensor_core(void* stream, const void* a, const void* b, float* out, int repeats) {
  cudaFuncSetAttribute(perfgate_tensor_core, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       kSharedBytes);
  perfgate_tensor_core<<<kTensorCoreBlocks, kThreads, kSharedBytes,
                         static_cast<cudaStream_t>(stream)>>>(
      static_cast<const __nv_bfloat16*>(a), static_cast<const __nv_bfloat16*>(b), out, repeats);
  const cudaError_t code = cudaGetLastError();
  if (code != cudaSuccess) {
    throw SystemError(std::string("the tensor-core kernel: ") + cudaGetErrorString(code) +
                          " (CUDA)",
                      "it is for compute capability 9.0");
  }
}

bool has_tensor_core_kernel() {
  int device = 0;
  int major = 0;
  int multiprocessors = 0;
  return cudaGetDevice(&device) == cudaSuccess &&
         cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) == cudaSuccess &&
         cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device) ==
             cudaSuccess &&
         major == 9 && multiprocessors == kTensorCoreBlocks;
}

}  // namespace perfgate
