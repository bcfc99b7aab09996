#pragma once
// Rotary position embedding (Su et al., 2021): pairs of a head's values are turned by an angle that
// grows with the position.

#include <ATen/core/Tensor.h>

namespace perfgate::language_models {

/// Cosine and sine of each position's angles: [positions, head_width / 2, 2]. `dtype`: rounded to.
at::Tensor rotary_table(std::int64_t positions, std::int64_t head_width, double base,
                        at::ScalarType dtype, at::Device device);

/// `x`: [tokens, heads, head_width]; `angles`: the table's rows of these tokens. Computed in fp32,
/// or in float64 where `x` is.
at::Tensor rotate(const at::Tensor& x, const at::Tensor& angles);

}  // namespace perfgate::language_models
