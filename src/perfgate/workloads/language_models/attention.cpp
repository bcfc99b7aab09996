#include "perfgate/workloads/language_models/attention.h"

#include <ATen/ops/scaled_dot_product_attention.h>
#include <ATen/ops/zeros_like.h>

#include "perfgate/workloads/language_models/rotary.h"

namespace perfgate::language_models {

at::Tensor Attention::operator()(const ModelShape& shape, const at::Tensor& x,
                                 const Pass& pass) const {
  const auto parts = qkv(x)
                         .unflatten(-1, {-1, shape.head_width()})
                         .split_with_sizes({shape.heads, shape.kv_heads, shape.kv_heads}, 1);
  const auto queries = rotate(parts[0], pass.angles);
  keys.index_copy_(1, pass.indices, rotate(parts[1], pass.angles).transpose(0, 1));
  values.index_copy_(1, pass.indices, parts[2].transpose(0, 1));
  const auto seen = at::scaled_dot_product_attention(
      queries.transpose(0, 1).unsqueeze(0), keys.unsqueeze(0), values.unsqueeze(0), pass.visible,
      /*dropout_p=*/0, /*is_causal=*/false, /*scale=*/{}, /*enable_gqa=*/true);
  return output(seen.squeeze(0).transpose(0, 1).flatten(1));
}

Attention exact(const Attention& attention) {
  return {exact(attention.qkv), exact(attention.output),
          at::zeros_like(attention.keys, at::kDouble),
          at::zeros_like(attention.values, at::kDouble)};
}

}  // namespace perfgate::language_models
