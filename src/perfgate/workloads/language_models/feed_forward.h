#pragma once
// A feed-forward network with a gated linear unit, SwiGLU (Shazeer, 2020).

#include <ATen/core/Tensor.h>

#include "perfgate/workloads/language_models/linear.h"

namespace perfgate::language_models {

struct FeedForward {
  Linear gate;  ///< [hidden, width]
  Linear up;    ///< [hidden, width]
  Linear down;  ///< [width, hidden]

  /// `x`: [tokens, width]; gives the same.
  [[nodiscard]] at::Tensor operator()(const at::Tensor& x) const;
};

/// The same weights in float64.
FeedForward exact(const FeedForward& network);

}  // namespace perfgate::language_models
