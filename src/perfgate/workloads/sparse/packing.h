#pragma once
// Matrices of which every second value is zero, and their packed forms. A block is drawn on the CPU
// and repeated on the device; packing is done there by whole tensors: LibTorch's own for CUTLASS
// walks over elements on one CPU core.

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace perfgate::sparse {

/// [rows, columns] on `device`, the same in every process: of each pair of neighbours in a row one
/// is zero, the other is not. So it is 1:2 sparse, hence 2:4 and 4:8. Floats are standard normal
/// and at least 2^-10 in size, int8 uniform in 1 to 8 with either sign. Throws
/// std::invalid_argument for an odd number of columns.
at::Tensor random_one_of_two(std::int64_t rows, std::int64_t columns, at::ScalarType dtype,
                             at::Device device, std::uint64_t seed);

/// The same by blocks: of each pair of neighbouring `block` x `block` blocks one is zero. Sides are
/// multiples of `block`, columns of 2 `block`.
at::Tensor random_one_block_of_two(std::int64_t rows, std::int64_t columns, std::int64_t block,
                                   at::ScalarType dtype, at::Device device, std::uint64_t seed);

/// [rows, columns] without a zero; see random_one_of_two.
at::Tensor random_nonzero(std::int64_t rows, std::int64_t columns, at::ScalarType dtype,
                          at::Device device, std::uint64_t seed);

/// What LibTorch's CUTLASS products take.
struct CutlassPacked {
  at::Tensor values;  ///< [rows, columns / 2]
  at::Tensor meta;    ///< which of four each value was, two bits a value, in the kernel's own order
};

/// Packs a matrix that is 1:2 sparse as random_one_of_two makes it. Rows are a multiple of 32
/// (int8: 16), columns of 64 (int8: 128; fp32: 32): the kernel's tiles.
CutlassPacked pack_for_cutlass(const at::Tensor& matrix);

}  // namespace perfgate::sparse
