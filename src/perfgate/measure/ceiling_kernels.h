#pragma once
// What the device can do at best, by kernels of our own: were a ceiling a LibTorch operator, a
// regression of the library would lower it too and cancel itself. `stream` is a cudaStream_t; each
// function queues one kernel and throws SystemError when CUDA refuses it.

#include <cstddef>
#include <cstdint>

namespace perfgate {

constexpr std::int64_t kStreamChunks = 4096;  ///< memory is read in so many chunks
constexpr std::int64_t kStreamGrain = 8192;   ///< a chunk is a multiple of so many bytes

/// sums[i] = the wrapping sum of the int32 words of chunk i of `data`, which is kStreamChunks
/// multiples of kStreamGrain long.
void queue_read(void* stream, const void* data, std::size_t bytes, std::int32_t* sums);
/// `bytes`: a multiple of 32 KiB.
void queue_copy(void* stream, const void* from, void* to, std::size_t bytes);
void queue_empty_kernel(void* stream);

constexpr std::int64_t kFmaThreads =
    std::int64_t{132} * 2048;           ///< as many as an H100 or H200 holds at once
constexpr std::int64_t kFmaChains = 8;  ///< independent chains of a thread

/// out[i] = the sum over kFmaChains chains of x = x * a[i] + b[i], `repeats` times from x = chain
/// number: fp32 multiply-adds and nothing else. All of kFmaThreads values.
void queue_fma(void* stream, const float* a, const float* b, float* out, int repeats);

constexpr std::int64_t kTileRows = 128;
constexpr std::int64_t kTileColumns = 256;
constexpr std::int64_t kTileDepthBytes = 256;

constexpr std::int64_t kTensorCoreBlocks = 132;  ///< one a multiprocessor of an H100 or H200

enum class TensorCoreOperands { kBf16, kFp16, kTf32, kInt8 };

/// out[block] = repeats * a b^T by tensor cores, on kTensorCoreBlocks multiprocessors at once: a
/// has kTileRows and b kTileColumns rows of kTileDepthBytes, out is kTensorCoreBlocks x kTileRows x
/// kTileColumns, fp32 (of int8: int32). Operands stay in shared memory, so that nothing but the
/// tensor cores is waited for.
void queue_tensor_core(void* stream, TensorCoreOperands operands, const void* a, const void* b,
                       void* out, int repeats);

/// Whether the current device is what queue_tensor_core and queue_fma are written for: compute
/// capability 9.0 with 132 multiprocessors. Throws SystemError when CUDA does not say.
bool is_hopper_of_132();

}  // namespace perfgate
