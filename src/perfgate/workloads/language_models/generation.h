#pragma once
// Text from a model: a pass over the prompt (prefill), then a token after the other (decode).

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "perfgate/workloads/language_models/sampling.h"
#include "perfgate/workloads/language_models/transformer.h"

namespace perfgate::language_models {

/// The benchmark's prompt: six tokens.
std::vector<std::int64_t> benchmark_prompt();

/// Passes the prompt, int64 [tokens], from position 0 on, and gives the token behind it, [1].
at::Tensor prefill(const Transformer& model, const at::Tensor& prompt, const Sampling& sampling);

/// Where decoding stands; on the model's device, so that a step moves it on without the host.
struct Cursor {
  at::Tensor token;  ///< int64, [1]: the last one drawn
  at::Tensor index;  ///< int64, [1]: where it stands
};

/// Passes the cursor's token, and leaves the next one in its place.
void decode_step(const Transformer& model, const Sampling& sampling, Cursor& cursor);

/// `count` tokens behind the cursor's, [count]; the cursor stands on the last of them.
at::Tensor decode(const Transformer& model, const Sampling& sampling, std::int64_t count,
                  Cursor& cursor);

}  // namespace perfgate::language_models
