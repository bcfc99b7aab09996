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

/// In float64, on the same device.
at::Tensor exact(const at::Tensor& tensor);

/// W x in float64 for a matrix of any dtype, by blocks of rows to spare memory.
at::Tensor matrix_vector_reference(const at::Tensor& matrix, const at::Tensor& vector);

}  // namespace perfgate
