#include "perfgate/workloads/language_models/generation.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>

namespace perfgate::language_models {

std::vector<std::int64_t> benchmark_prompt() { return {1, 15043, 29892, 590, 1024, 338}; }

Drawn prefill(const Transformer& model, const at::Tensor& prompt, const Sampling& sampling,
              Routes* routes) {
  const auto indices = at::arange(prompt.size(0), prompt.options());
  const auto logits = model.logits(prompt, indices, routes)[-1];
  return {sample(logits, sampling), logits};
}

// In place: a graph that is replayed finds the cursor where it was captured.
at::Tensor decode_step(const Transformer& model, const Sampling& sampling, Cursor& cursor,
                       Routes* routes) {
  auto logits = model.logits(cursor.token, cursor.index, routes)[0];
  cursor.token.copy_(sample(logits, sampling));
  cursor.index.add_(1);
  return logits;
}

Decoded decode(const Transformer& model, const Sampling& sampling, std::int64_t count,
               Cursor& cursor, Routes* routes) {
  std::vector<at::Tensor> tokens;
  at::Tensor logits;
  for (std::int64_t i = 0; i < count; ++i) {
    logits = decode_step(model, sampling, cursor, routes);
    tokens.push_back(cursor.token.clone());
  }
  return {at::cat(tokens), logits};
}

}  // namespace perfgate::language_models
