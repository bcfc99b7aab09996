#pragma once
// Normalisation by the root mean square (Zhang and Sennrich, 2019).

#include <ATen/core/Tensor.h>

namespace perfgate::language_models {

/// `x`: [..., width], brought to a mean square of one along its last dimension and multiplied by
/// `weight`, [width]. Computed in fp32, or in float64 where `x` is.
at::Tensor rms_norm(const at::Tensor& x, const at::Tensor& weight, double epsilon);

}  // namespace perfgate::language_models
