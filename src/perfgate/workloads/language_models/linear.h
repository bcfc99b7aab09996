#pragma once
// A product with a matrix of weights, held as it is or quantised: int8 with a scale for each output
// (weight-only quantisation), cast to the activations' type before the product or multiplied by a
// kernel that casts what it reads.

#include <ATen/core/Tensor.h>

namespace perfgate::language_models {

struct Linear {
  at::Tensor weight;      ///< [outputs, inputs]
  at::Tensor scales;      ///< [outputs]; undefined where the weights are not quantised
  bool int8pack = false;  ///< quantised weights of one network go to _weight_int8pack_mm

  /// `x`: [..., inputs], for int8pack [tokens, inputs]; gives [..., outputs] of the same type.
  [[nodiscard]] at::Tensor operator()(const at::Tensor& x) const;
};

/// Weights of several networks, one behind the other: [networks, outputs, inputs] and
/// [networks, outputs]. Those of the networks `which` (int64, [count]) alone.
Linear chosen_of(const Linear& all, const at::Tensor& which);

/// The same weights in float64, dequantised.
Linear exact(const Linear& linear);

}  // namespace perfgate::language_models
