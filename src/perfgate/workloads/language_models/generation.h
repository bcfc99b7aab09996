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

/// What a pass draws, and the scores that it was drawn by.
struct Drawn {
  at::Tensor token;   ///< int64, [1]
  at::Tensor logits;  ///< [vocabulary]
};

/// Passes the prompt, int64 [tokens], from position 0 on, and draws the token behind it.
Drawn prefill(const Transformer& model, const at::Tensor& prompt, const Sampling& sampling,
              Routes* routes = nullptr);

/// Where decoding stands; on the model's device, so that a step moves it on without the host.
struct Cursor {
  at::Tensor token;  ///< int64, [1]: the last one drawn
  at::Tensor index;  ///< int64, [1]: where it stands
};

/// Passes the cursor's token, and leaves the next one in its place. Gives the scores that it was
/// drawn by, [vocabulary].
at::Tensor decode_step(const Transformer& model, const Sampling& sampling, Cursor& cursor,
                       Routes* routes = nullptr);

struct Decoded {
  at::Tensor tokens;  ///< int64, [count]
  at::Tensor logits;  ///< that the last one was drawn by, [vocabulary]
};

/// `count` tokens behind the cursor's, on the last of which it stands then.
Decoded decode(const Transformer& model, const Sampling& sampling, std::int64_t count,
               Cursor& cursor, Routes* routes = nullptr);

}  // namespace perfgate::language_models
