#pragma once
// The next token from the scores of all: on the device, without waiting for it.

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace perfgate::language_models {

struct Sampling {
  double temperature = 0.8;  ///< scores are divided by it; 0: the best token, always
  std::int64_t top_k = 200;  ///< tokens to draw among, the best ones
};

/// `logits`: [vocabulary]. Draws by the device's default generator; gives int64, [1]. A token's
/// probability over an exponential variate is largest for the token drawn (the exponential race),
/// which needs no sum and no host.
at::Tensor sample(const at::Tensor& logits, const Sampling& sampling);

/// Of tokens that were drawn, int64 [tokens], each where it could be drawn by its scores, [tokens,
/// vocabulary]: it is among the best `top_k`, or less than `slack`, [tokens], below them. Elsewhere
/// the best token.
at::Tensor drawn_or_best(const at::Tensor& drawn, const at::Tensor& logits,
                         const Sampling& sampling, const at::Tensor& slack);

}  // namespace perfgate::language_models
