#include "perfgate/workloads/sparse/packing.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/bitwise_left_shift.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/where.h>

#include <algorithm>
#include <stdexcept>
#include <string>

#include "perfgate/workloads/inputs.h"

namespace perfgate::sparse {
namespace {

constexpr double kSmallest = 0x1p-10;
constexpr double kLargestInteger = 8;

// Normals made non-zero: small ones grow, and integers fold into 1 to 8.
at::Tensor nonzero_values(std::int64_t count, at::ScalarType dtype, std::uint64_t seed) {
  const auto values = normal_values(count, seed);
  if (dtype == at::kChar) {
    const auto wide = values.mul(1000).to(at::kShort);
    const auto size = wide.abs().remainder_(static_cast<std::int64_t>(kLargestInteger)).add_(1);
    return at::where(wide.ge(0), size, size.neg()).to(at::kChar);
  }
  return at::where(values.abs().lt(kSmallest), kSmallest, values).to(dtype);
}

void require_pairs(std::int64_t count, const std::string& what) {
  if (count <= 0 || count % 2 != 0) {
    throw std::invalid_argument(std::to_string(count) + " " + what + " do not make pairs");
  }
}

// [count, 2]: of each pair one is true, either with equal chances.
at::Tensor random_pairs(std::int64_t count, std::uint64_t seed) {
  const auto first = normal_values(count, seed).gt(0);
  return at::stack({first, first.logical_not()}, -1);
}

// CUTLASS's ColumnMajorInterleaved<2> order of the meta words, whose rows are reordered in groups
// and whose 2 x 2 blocks are swizzled: where word (row, column) goes.
at::Tensor meta_offsets(std::int64_t rows, std::int64_t words, std::int64_t word_bytes,
                        at::Device device) {
  const auto options = at::TensorOptions(at::kLong).device(device);
  const std::int64_t group = word_bytes == 2 ? 32 : 16;
  const std::int64_t interweave = word_bytes == 2 ? 4 : 2;
  const auto at_row = at::arange(rows, options).unsqueeze(1);
  auto row = at_row.sub(at_row.remainder(group))
                 .add(at_row.remainder(8).mul(interweave))
                 .add(at_row.remainder(group).floor_divide(8));
  const auto column = at::arange(words, options).unsqueeze(0);
  // Odd columns of even rows change places with even columns of odd rows.
  const auto swap = column.remainder(2).sub(row.remainder(2));
  row = row.add(swap);
  const auto swapped = column.sub(swap);
  return swapped.floor_divide(2).mul(2 * rows).add(row.mul(2)).add(swapped.remainder(2)).flatten();
}

}  // namespace

at::Tensor random_nonzero(std::int64_t rows, std::int64_t columns, at::ScalarType dtype,
                          at::Device device, std::uint64_t seed) {
  const auto length = std::min(rows * columns, kBlockLength);
  const auto block = nonzero_values(length, dtype, seed);
  return repeated(block, {rows, columns}, device);
}

at::Tensor random_one_of_two(std::int64_t rows, std::int64_t columns, at::ScalarType dtype,
                             at::Device device, std::uint64_t seed) {
  constexpr std::int64_t kPairs = 524'287;  // the largest prime below 2^19
  require_pairs(columns, "columns");
  const auto count = std::min(rows * columns / 2, kPairs);
  const auto pairs = random_pairs(count, seed + 1).to(dtype).flatten();
  const auto mask = repeated(pairs, {rows, columns}, device);
  return random_nonzero(rows, columns, dtype, device, seed).mul_(mask);
}

at::Tensor random_one_block_of_two(std::int64_t rows, std::int64_t columns, std::int64_t block,
                                   at::ScalarType dtype, at::Device device, std::uint64_t seed) {
  require_pairs(columns / block, "blocks a row");
  const auto blocks = random_pairs(rows * columns / block / block / 2, seed + 1)
                          .view({rows / block, columns / block})
                          .to(device);
  const auto mask = blocks.repeat_interleave(block, 0).repeat_interleave(block, 1);
  return random_nonzero(rows, columns, dtype, device, seed).mul_(mask);
}

CutlassPacked pack_for_cutlass(const at::Tensor& matrix) {
  const auto rows = matrix.size(0);
  const auto columns = matrix.size(1);
  const auto pairs = matrix.view({rows, columns / 2, 2});
  const auto second = pairs.select(2, 0).eq(0).to(at::kLong);  // the non-zero one's place: 0 or 1
  CutlassPacked out;
  out.values = pairs.gather(2, second.unsqueeze(2)).squeeze(2).contiguous();

  // Four bits for each four values: the place of the first in the lower two, of the second in the
  // upper two. Of fp32 one in two is kept, and each stands for two of the four places.
  const bool wide = matrix.scalar_type() == at::kFloat;
  const auto codes = wide ? second.mul(0b1110 - 0b0100).add(0b0100)
                          : second.view({rows, columns / 4, 2})
                                .mul(at::arange(1, 6, 3, second.options()))  // places 0, 1 and 2, 3
                                .sum(2)
                                .add(0b1000);
  const auto word = matrix.scalar_type() == at::kChar ? at::kInt : at::kShort;
  const auto word_bytes = static_cast<std::int64_t>(c10::elementSize(word));
  const auto codes_a_word = 2 * word_bytes;
  const auto words = codes.size(1) / codes_a_word;
  const auto shifts = at::arange(0, 4 * codes_a_word, 4, codes.options());
  const auto packed =
      at::bitwise_left_shift(codes.view({rows, words, codes_a_word}), shifts).sum(2).to(word);
  out.meta = at::empty_like(packed);
  out.meta.view({-1}).scatter_(0, meta_offsets(rows, words, word_bytes, matrix.device()),
                               packed.view({-1}));
  return out;
}

}  // namespace perfgate::sparse
