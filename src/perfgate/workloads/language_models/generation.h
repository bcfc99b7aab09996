#pragma once
// Text from a model: a pass over the prompt (prefill), then a token after the other (decode).

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <vector>

#include "perfgate/workloads/language_models/sampling.h"
#include "perfgate/workloads/language_models/transformer.h"

namespace perfgate::language_models {

/// The benchmark's prompt: six tokens.
std::vector<std::int64_t> benchmark_prompt();

/// A model, however it is run: `tokens` and `indices`, where they stand, are int64, [tokens]. Gives
/// the scores (logits) of what follows the last of them, [vocabulary].
using ModelPass = std::function<at::Tensor(const at::Tensor& tokens, const at::Tensor& indices,
                                           const Notes& notes)>;

/// By LibTorch's operators. The model must outlive the pass.
ModelPass eager_pass(const Transformer& model);

/// Where generation stands; on the model's device, and written in place, so that a step moves it on
/// without the host and a graph that is replayed finds it where it was captured.
struct Cursor {
  /// Room for `positions` tokens and for the one that is drawn behind the last of them. `scores`:
  /// their type and device.
  Cursor(std::int64_t positions, std::int64_t vocabulary, const at::TensorOptions& scores);

  at::Tensor text;    ///< int64, [positions + 1]: the prompt and what was drawn
  at::Tensor scores;  ///< [positions + 1, vocabulary]: what each that was drawn was drawn by
  at::Tensor token;   ///< int64, [1]: the last one of it
  at::Tensor index;   ///< int64, [1]: where that stands
};

/// Passes the prompt, int64 [tokens], from position 0 on, and draws the token behind it.
void prefill(const ModelPass& pass, const at::Tensor& prompt, const Sampling& sampling,
             Cursor& cursor, const Notes& notes = {});

/// Passes the cursor's token, and moves it on to the next.
void decode_step(const ModelPass& pass, const Sampling& sampling, Cursor& cursor,
                 const Notes& notes = {});

}  // namespace perfgate::language_models
