#pragma once
// The sizes of the attention family, the keys of its cases, and back again.

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace perfgate::attention {

enum class Input {
  kDense,  ///< every row full
  kNested  ///< rows of their own length, nine tenths of them padding if they were padded
};

struct Shape {
  std::int64_t batch = 0;
  std::int64_t heads = 0;
  std::int64_t length = 0;  ///< of the longest row
  std::int64_t width = 0;   ///< of the embedding; a multiple of heads
  at::ScalarType dtype = at::kHalf;
  Input input = Input::kDense;
};

/// On GPUs the sizes of PyTorch's scaled-dot-product benchmark; on CPUs a batch of 8 over 128
/// positions, in fp32 and bf16, dense and nested.
std::vector<Shape> shapes(at::DeviceType device);

/// "attention/128x8x512x512/fp16": batch, heads, length, width; "/nested" behind it where it is,
/// then the implementation.
std::string stem_of(const Shape& shape);

/// The shape and the implementation's name, or a glob of names, of any key of that form; nothing
/// for others. Throws UsageError with the rule where sizes are not from 1 to 2^20, the dtype is not
/// one of these or the width no multiple of the heads.
std::optional<std::pair<Shape, std::string>> parse_key(const std::string& key);

/// The length of each row: nine tenths of padding with a standard deviation of a hundredth, one row
/// full; the same in every process. All full for a dense input.
std::vector<std::int64_t> row_lengths(const Shape& shape);

}  // namespace perfgate::attention
