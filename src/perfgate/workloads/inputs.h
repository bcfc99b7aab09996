#pragma once
// Random inputs, the same in every process and fast to make: half a gigabyte of normals would take
// longer than measuring what is done with them.

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace perfgate {

/// Standard normal values as `dtype` (integers truncate toward zero, as the seed's .to(int8) does)
/// on `device`. Large tensors repeat a block whose length is a prime, so that no two rows of a
/// power of two are alike and reading the wrong one is still a wrong answer.
at::Tensor random_normal(at::IntArrayRef sizes, at::ScalarType dtype, at::Device device,
                         std::uint64_t seed);

/// `count` standard normal values on the CPU.
at::Tensor normal_values(std::int64_t count, std::uint64_t seed);

/// Up to here float64 tells integers apart.
constexpr double kLargestExactInteger = 9007199254740992.0;  // 2^53

/// The largest prime below 2^20: how long a block should be that is repeated.
constexpr std::int64_t kBlockLength = 1'048'573;

/// A tensor of these sizes on `device`, filled with the block's values from its first one on, again
/// and again. Only copies run on the device: a GPU loads every operator that a process runs for the
/// first time. Throws std::invalid_argument for an empty block.
at::Tensor repeated(const at::Tensor& block, at::IntArrayRef sizes, at::Device device);

/// The same values in float64, or in complex128 where they are complex, on the same device. Throws
/// std::invalid_argument for integers beyond 2^53, which float64 cannot tell apart, and for a type
/// that LibTorch cannot convert.
at::Tensor exact(const at::Tensor& tensor);

/// W x in float64 for a matrix of any dtype, by blocks of rows to spare memory.
at::Tensor matrix_vector_reference(const at::Tensor& matrix, const at::Tensor& vector);

}  // namespace perfgate
