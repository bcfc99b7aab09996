#pragma once
// A decoder-only transformer with its caches: tokens in, scores of the next token out.

#include <ATen/core/Tensor.h>

#include <variant>
#include <vector>

#include "perfgate/workloads/language_models/attention.h"
#include "perfgate/workloads/language_models/experts.h"
#include "perfgate/workloads/language_models/feed_forward.h"
#include "perfgate/workloads/language_models/model_shape.h"

namespace perfgate::language_models {

struct Layer {
  at::Tensor attention_norm;  ///< [width]
  Attention attention;
  at::Tensor feed_forward_norm;  ///< [width]
  std::variant<FeedForward, Experts> feed_forward;

  /// `x`: [tokens, width]; gives the same.
  [[nodiscard]] at::Tensor operator()(const ModelShape& shape, const at::Tensor& x,
                                      const Pass& pass) const;
};

/// What a pass notes for whoever checks it, where it is to.
struct Notes {
  Routes* routes = nullptr;                        ///< that its mixtures take
  std::vector<at::Tensor>* activations = nullptr;  ///< behind each layer, [tokens, width]
};

class Transformer {
 public:
  /// Weights are random, the same in every process and made on `device` in the type in which they
  /// are held. Activations keep about unit variance. `positions`: room for so many tokens.
  Transformer(const ModelShape& shape, const Precision& precision, std::int64_t positions,
              at::Device device);

  /// `tokens`: int64, [tokens]; `indices`: int64, [tokens], where they stand. Writes their keys and
  /// values into the caches, and gives the scores (logits) of what follows each, [tokens,
  /// vocabulary].
  [[nodiscard]] at::Tensor logits(const at::Tensor& tokens, const at::Tensor& indices,
                                  const Notes& notes = {}) const;

  /// What the layers of a pass over tokens that stand there have in common.
  [[nodiscard]] Pass pass_over(const at::Tensor& indices, Routes* routes = nullptr) const;

  /// The scores in float64 of what follows each of these tokens, which begin at position 0, by the
  /// same weights, dequantised. A layer at a time, so that a model of many GB needs no second copy
  /// of itself; the caches stay as they are.
  [[nodiscard]] at::Tensor exact_logits(const at::Tensor& tokens, Routes* routes = nullptr) const;

  /// What each layer makes in float64 of what it was given: the first of the embedding of `tokens`,
  /// as above, every other of the noted `activations` of these tokens behind the one before. So an
  /// error shows where it is made, beside the roundings of one layer alone.
  [[nodiscard]] std::vector<at::Tensor> exact_layers(const at::Tensor& tokens,
                                                     const std::vector<at::Tensor>& activations,
                                                     Routes* routes = nullptr) const;

  /// All of them, scales too.
  [[nodiscard]] std::vector<at::Tensor> weights() const;

  [[nodiscard]] const ModelShape& shape() const { return shape_; }
  [[nodiscard]] const at::Tensor& embedding() const { return embedding_; }
  [[nodiscard]] const std::vector<Layer>& layers() const { return layers_; }
  [[nodiscard]] const at::Tensor& norm() const { return norm_; }
  [[nodiscard]] const Linear& output() const { return output_; }

 private:
  ModelShape shape_;
  at::Tensor embedding_;  // [vocabulary, width]
  std::vector<Layer> layers_;
  at::Tensor norm_;     // [width]
  Linear output_;       // [vocabulary, width]
  at::Tensor angles_;   // of every position
  at::Tensor visible_;  // [positions, positions]: the ones up to each
};

}  // namespace perfgate::language_models
