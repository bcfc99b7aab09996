#pragma once
// Grouped-query attention (Ainslie et al., 2023) with a static cache of keys and values.

#include <ATen/core/Tensor.h>

#include "perfgate/workloads/language_models/linear.h"
#include "perfgate/workloads/language_models/model_shape.h"
#include "perfgate/workloads/language_models/routes.h"

namespace perfgate::language_models {

/// What all layers of one pass over some tokens have in common.
struct Pass {
  at::Tensor indices;        ///< int64, [tokens]
  at::Tensor angles;         ///< of the rotary embedding, [tokens, head_width / 2, 2]
  at::Tensor visible;        ///< bool, [tokens, positions]: what each of them sees
  Routes* routes = nullptr;  ///< of the mixtures of experts; may be unset
};

struct Attention {
  Linear qkv;         ///< queries, keys and values
  Linear output;      ///< [width, width]
  at::Tensor keys;    ///< [kv_heads, positions, head_width]; written at the tokens' positions
  at::Tensor values;  ///< the same

  /// `x`: [tokens, width]; gives the same.
  [[nodiscard]] at::Tensor operator()(const ModelShape& shape, const at::Tensor& x,
                                      const Pass& pass) const;
};

/// The same weights in float64, with an empty cache of its own.
Attention exact(const Attention& attention);

}  // namespace perfgate::language_models
