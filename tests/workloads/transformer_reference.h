#pragma once
// A transformer without a cache, in float64: a whole sequence at once, head by head and token by
// token, with complex numbers for the rotary embedding. Written apart from the one that is tested.

#include <ATen/ATen.h>

#include <cmath>
#include <variant>
#include <vector>

#include "perfgate/workloads/language_models/transformer.h"

namespace perfgate::language_models::reference {

inline at::Tensor weight_of(const Linear& linear) { return exact(linear).weight; }

inline at::Tensor normed(const at::Tensor& x, const at::Tensor& weight, double epsilon) {
  return x / (x.square().mean(-1, true) + epsilon).sqrt() * weight.to(at::kDouble);
}

// `x`: [tokens, head_width].
inline at::Tensor turned(const at::Tensor& x, double base) {
  const auto width = x.size(1);
  auto out = at::view_as_complex(x.reshape({x.size(0), width / 2, 2}).contiguous()).clone();
  for (std::int64_t token = 0; token < x.size(0); ++token) {
    for (std::int64_t pair = 0; pair < width / 2; ++pair) {
      const double angle =
          static_cast<double>(token) *
          std::pow(base, -2.0 * static_cast<double>(pair) / static_cast<double>(width));
      out[token][pair] *= c10::complex<double>(std::cos(angle), std::sin(angle));
    }
  }
  return at::view_as_real(out).reshape(x.sizes());
}

inline at::Tensor attended(const ModelShape& shape, const Attention& attention,
                           const at::Tensor& x) {
  const auto width = shape.head_width();
  const auto all = at::matmul(x, weight_of(attention.qkv).t());
  const auto head = [&](std::int64_t row) { return all.narrow(1, row * width, width); };
  std::vector<at::Tensor> out;
  for (std::int64_t h = 0; h < shape.heads; ++h) {
    const std::int64_t shared = h / (shape.heads / shape.kv_heads);
    const auto query = turned(head(h), shape.rope_base);
    const auto key = turned(head(shape.heads + shared), shape.rope_base);
    const auto value = head(shape.heads + shape.kv_heads + shared);
    auto scores = at::matmul(query, key.t()) / std::sqrt(static_cast<double>(width));
    for (std::int64_t token = 0; token < x.size(0); ++token) {
      scores[token].narrow(0, token + 1, x.size(0) - token - 1).fill_(-INFINITY);
    }
    out.push_back(at::matmul(scores.softmax(-1), value));
  }
  return at::matmul(at::cat(out, 1), weight_of(attention.output).t());
}

inline at::Tensor through(const at::Tensor& gate, const at::Tensor& up, const at::Tensor& down,
                          const at::Tensor& x) {
  const auto inside = at::matmul(x, gate.t());
  return at::matmul(inside * inside.sigmoid() * at::matmul(x, up.t()), down.t());
}

/// Of one token, by descending score.
inline std::vector<std::int64_t> chosen_for(const Experts& experts, const at::Tensor& token) {
  const auto order =
      at::matmul(experts.score.to(at::kDouble), token).argsort(/*dim=*/-1, /*descending=*/true);
  std::vector<std::int64_t> out;
  for (std::int64_t i = 0; i < experts.chosen; ++i) {
    out.push_back(order[i].item<std::int64_t>());
  }
  return out;
}

inline at::Tensor fed(const FeedForward& network, const at::Tensor& x) {
  return through(weight_of(network.gate), weight_of(network.up), weight_of(network.down), x);
}

inline at::Tensor fed(const Experts& experts, const at::Tensor& x) {
  const auto gate = weight_of(experts.all.gate);
  const auto up = weight_of(experts.all.up);
  const auto down = weight_of(experts.all.down);
  std::vector<at::Tensor> out;
  for (const auto& token : x.unbind()) {
    const auto scores = at::matmul(experts.score.to(at::kDouble), token).exp();
    double total = 0;
    at::Tensor sum = at::zeros_like(token);
    for (const auto expert : chosen_for(experts, token)) {
      const double share = scores[expert].item<double>();
      total += share;
      sum += share * through(gate[expert], up[expert], down[expert], token);
    }
    out.push_back(sum / total);
  }
  return at::stack(out);
}

/// Scores of what follows each of these tokens, which begin at position 0.
inline at::Tensor logits(const Transformer& model, const at::Tensor& tokens) {
  const ModelShape& shape = model.shape();
  auto x = model.embedding().to(at::kDouble).index_select(0, tokens);
  for (const auto& layer : model.layers()) {
    x = x + attended(shape, layer.attention, normed(x, layer.attention_norm, shape.norm_epsilon));
    const auto input = normed(x, layer.feed_forward_norm, shape.norm_epsilon);
    x = x +
        std::visit([&](const auto& network) { return fed(network, input); }, layer.feed_forward);
  }
  return at::matmul(normed(x, model.norm(), shape.norm_epsilon), weight_of(model.output()).t());
}

}  // namespace perfgate::language_models::reference
