#pragma once
// Multi-head self-attention of random rows: its operands, the ways of LibTorch to do it, and what
// it gives in float64.

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "perfgate/workloads/attention/shapes.h"

namespace perfgate::attention {

/// Standard deviation of the bias of queries, keys and values: small, so that no score dominates.
constexpr double kProjectionBias = 0.25;

struct Weights {
  at::Tensor in;        ///< [3 width, width]: queries, keys, values
  at::Tensor in_bias;   ///< [3 width]
  at::Tensor out;       ///< [width, width]
  at::Tensor out_bias;  ///< [width]
};
Weights make_weights(const Shape& shape, at::Device device);

struct Rows {
  at::Tensor x;       ///< [batch, length, width], or nested [batch, (rows), width]
  at::Tensor memory;  ///< the same values, one row below the other
};
Rows make_rows(const Shape& shape, at::Device device);

/// Projection, scaled_dot_product_attention, projection back.
at::Tensor composite(const at::Tensor& x, const Weights& weights, std::int64_t heads);

/// What nn.MultiheadAttention calls in inference.
at::Tensor nn_mha(const at::Tensor& x, const Weights& weights, std::int64_t heads,
                  bool need_weights);

/// In float64: [batch, length, width], of nested rows one below the other.
at::Tensor reference(const Shape& shape, const Rows& rows, const Weights& weights);

}  // namespace perfgate::attention
