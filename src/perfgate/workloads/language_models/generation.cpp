#include "perfgate/workloads/language_models/generation.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/zeros.h>

namespace perfgate::language_models {
namespace {

// The token at the cursor's index.
void draw(const at::Tensor& logits, const Sampling& sampling, Cursor& cursor) {
  cursor.token.copy_(sample(logits, sampling));
  cursor.text.index_copy_(0, cursor.index, cursor.token);
  cursor.scores.index_copy_(0, cursor.index, logits.unsqueeze(0));
}

}  // namespace

std::vector<std::int64_t> benchmark_prompt() { return {1, 15043, 29892, 590, 1024, 338}; }

ModelPass eager_pass(const Transformer& model) {
  return [&model](const at::Tensor& tokens, const at::Tensor& indices, const Notes& notes) {
    return model.logits(tokens, indices, notes)[-1];
  };
}

Cursor::Cursor(std::int64_t positions, std::int64_t vocabulary, const at::TensorOptions& of_scores)
    : text(at::zeros({positions + 1}, of_scores.dtype(at::kLong))),
      scores(at::zeros({positions + 1, vocabulary}, of_scores)),
      token(at::zeros({1}, text.options())),
      index(at::zeros({1}, text.options())) {}

void prefill(const ModelPass& pass, const at::Tensor& prompt, const Sampling& sampling,
             Cursor& cursor, const Notes& notes) {
  const std::int64_t length = prompt.size(0);
  const auto logits = pass(prompt, at::arange(length, prompt.options()), notes);
  cursor.text.narrow(0, 0, length).copy_(prompt);
  cursor.index.fill_(length);
  draw(logits, sampling, cursor);
}

void decode_step(const ModelPass& pass, const Sampling& sampling, Cursor& cursor,
                 const Notes& notes) {
  const auto logits = pass(cursor.token, cursor.index, notes);
  cursor.index.add_(1);
  draw(logits, sampling, cursor);
}

}  // namespace perfgate::language_models
