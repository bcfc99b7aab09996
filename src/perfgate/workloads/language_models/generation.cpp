#include "perfgate/workloads/language_models/generation.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/zeros.h>

namespace perfgate::language_models {

std::vector<std::int64_t> benchmark_prompt() { return {1, 15043, 29892, 590, 1024, 338}; }

ModelPass eager_pass(const Transformer& model) {
  return [&model](const at::Tensor& tokens, const at::Tensor& indices, Routes* routes) {
    return model.logits(tokens, indices, routes)[-1];
  };
}

Cursor::Cursor(std::int64_t positions, at::Device device)
    : text(at::zeros({positions + 1}, at::TensorOptions().dtype(at::kLong).device(device))),
      token(at::zeros({1}, text.options())),
      index(at::zeros({1}, text.options())) {}

at::Tensor prefill(const ModelPass& pass, const at::Tensor& prompt, const Sampling& sampling,
                   Cursor& cursor, Routes* routes) {
  const std::int64_t length = prompt.size(0);
  auto logits = pass(prompt, at::arange(length, prompt.options()), routes);
  cursor.token.copy_(sample(logits, sampling));
  cursor.index.fill_(length);
  cursor.text.narrow(0, 0, length).copy_(prompt);
  cursor.text.narrow(0, length, 1).copy_(cursor.token);
  return logits;
}

at::Tensor decode_step(const ModelPass& pass, const Sampling& sampling, Cursor& cursor,
                       Routes* routes) {
  auto logits = pass(cursor.token, cursor.index, routes);
  cursor.token.copy_(sample(logits, sampling));
  cursor.index.add_(1);
  cursor.text.index_copy_(0, cursor.index, cursor.token);
  return logits;
}

}  // namespace perfgate::language_models
