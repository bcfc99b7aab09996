#include "perfgate/workloads/language_models/generation.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>

namespace perfgate::language_models {

std::vector<std::int64_t> benchmark_prompt() { return {1, 15043, 29892, 590, 1024, 338}; }

at::Tensor prefill(const Transformer& model, const at::Tensor& prompt, const Sampling& sampling) {
  const auto indices = at::arange(prompt.size(0), prompt.options());
  return sample(model.logits(prompt, indices)[-1], sampling);
}

// In place: a graph that is replayed finds the cursor where it was captured.
void decode_step(const Transformer& model, const Sampling& sampling, Cursor& cursor) {
  cursor.token.copy_(sample(model.logits(cursor.token, cursor.index)[0], sampling));
  cursor.index.add_(1);
}

at::Tensor decode(const Transformer& model, const Sampling& sampling, std::int64_t count,
                  Cursor& cursor) {
  std::vector<at::Tensor> out;
  for (std::int64_t i = 0; i < count; ++i) {
    decode_step(model, sampling, cursor);
    out.push_back(cursor.token.clone());
  }
  return at::cat(out);
}

}  // namespace perfgate::language_models
