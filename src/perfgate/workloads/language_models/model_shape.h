#pragma once
// The sizes of the language models that are run, how their weights are held, and how many bytes of
// them a token reads.

#include <c10/core/ScalarType.h>

#include <cstdint>
#include <string>

#include "perfgate/core/units.h"

namespace perfgate::language_models {

struct ModelShape {
  std::string name;  ///< as keys have it
  std::int64_t layers = 0;
  std::int64_t width = 0;       ///< of the activations between layers
  std::int64_t heads = 0;       ///< of the queries
  std::int64_t kv_heads = 0;    ///< of the keys and values, each shared by heads / kv_heads queries
  std::int64_t hidden = 0;      ///< width inside a feed-forward network
  std::int64_t vocabulary = 0;  ///< tokens
  std::int64_t experts = 0;  ///< feed-forward networks of a layer to choose from; 0: one, no choice
  std::int64_t chosen = 0;   ///< of them for a token
  double rope_base = 1e4;    ///< of the rotary embedding's wavelengths
  double norm_epsilon = 1e-5;

  [[nodiscard]] std::int64_t head_width() const { return width / heads; }
  /// Rows of the product that makes queries, keys and values at once.
  [[nodiscard]] std::int64_t qkv_rows() const { return (heads + 2 * kv_heads) * head_width(); }
};

/// Touvron et al., Llama 2, 2023: 7B.
ModelShape llama2_7b();
/// Jiang et al., Mixtral of Experts, 2024: 8x7B, with 16 of its 32 layers as the benchmark has it.
ModelShape mixtral_8x7b();
/// Of the same make as these two, small enough to run anywhere.
ModelShape tiny_llama();
ModelShape tiny_mixtral();

/// How weights are held and multiplied.
struct Precision {
  at::ScalarType activations = at::kBFloat16;
  bool int8_weights = false;  ///< of matrices but the embedding and the choice of experts, each
                              ///< output with a scale
  bool int8pack = false;      ///< which LibTorch's _weight_int8pack_mm multiplies, not a product
                              ///< with a cast copy; for models without experts

  /// "int8", or the activations' type.
  [[nodiscard]] std::string name() const;
};

/// Bytes of the weights that a pass over so many tokens reads: all but the table of embeddings, and
/// of a layer's experts as many as its tokens choose among them, on average, if each chooses by
/// chance. Of one token, the benchmark's definition of what its bandwidth counts.
Bytes bytes_of_a_pass(const ModelShape& shape, const Precision& precision, std::int64_t tokens);

/// Feed-forward networks that are read for them, in each layer.
double networks_of_a_pass(const ModelShape& shape, std::int64_t tokens);

/// Bytes of all weights.
Bytes model_bytes(const ModelShape& shape, const Precision& precision);

/// Bytes of the keys and values of so many positions.
Bytes cache_bytes(const ModelShape& shape, const Precision& precision, std::int64_t positions);

}  // namespace perfgate::language_models
