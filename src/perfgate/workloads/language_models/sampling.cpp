#include "perfgate/workloads/language_models/sampling.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/argmax.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/gather.h>
#include <ATen/ops/masked_fill.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/topk.h>
#include <ATen/ops/where.h>

#include <algorithm>
#include <limits>
#include <tuple>

namespace perfgate::language_models {

at::Tensor sample(const at::Tensor& logits, const Sampling& sampling) {
  if (sampling.temperature == 0) {
    return logits.argmax(-1, /*keepdim=*/true);
  }
  const auto tempered = logits / sampling.temperature;
  const auto best = std::get<0>(tempered.topk(std::min(sampling.top_k, logits.size(-1))));
  const auto kept = tempered.masked_fill(tempered < best.narrow(-1, best.size(-1) - 1, 1),
                                         -std::numeric_limits<double>::infinity());
  const auto probabilities = kept.softmax(-1);
  const auto race = at::empty_like(probabilities).exponential_(1);
  return (probabilities / race).argmax(-1, /*keepdim=*/true);
}

at::Tensor drawn_or_best(const at::Tensor& drawn, const at::Tensor& logits,
                         const Sampling& sampling, const at::Tensor& slack) {
  const auto best = std::get<0>(logits.topk(std::min(sampling.top_k, logits.size(-1)), -1));
  const auto theirs = logits.gather(-1, drawn.unsqueeze(-1)).squeeze(-1);
  const auto possible = theirs >= best.select(-1, best.size(-1) - 1) - slack;
  return at::where(possible, drawn, logits.argmax(-1));
}

}  // namespace perfgate::language_models
