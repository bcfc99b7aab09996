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

constexpr std::int64_t kTileRows = 128;
constexpr std::int64_t kTileColumns = 256;
constexpr std::int64_t kTileDepth = 128;

constexpr std::int64_t kTensorCoreBlocks = 132;  ///< one a multiprocessor of an H100 or H200

/// out[block] = repeats * a b^T by bf16 tensor cores with fp32 sums, on kTensorCoreBlocks
/// multiprocessors at once: a is kTileRows x kTileDepth and b kTileColumns x kTileDepth, both bf16
/// and row-major, out kTensorCoreBlocks x kTileRows x kTileColumns fp32. Operands stay in shared
/// memory, so that nothing but the tensor cores is waited for.
void queue_tensor_core(void* stream, const void* a, const void* b, float* out, int repeats);

/// Whether the current device is what queue_tensor_core is written for.
bool has_tensor_core_kernel();

}  // namespace perfgate
