#pragma once
// A mixture of experts: of several feed-forward networks each token takes the few that score
// highest. Their weights are picked out first, so that only they are read.

#include <ATen/core/Tensor.h>

#include "perfgate/workloads/language_models/feed_forward.h"
#include "perfgate/workloads/language_models/routes.h"

namespace perfgate::language_models {

struct Choice {
  at::Tensor experts;  ///< int64, [tokens, chosen], the best first
  at::Tensor shares;   ///< [tokens, chosen]; of a token they add up to one
};

struct Experts {
  at::Tensor score;  ///< [experts, width]; never quantised
  FeedForward all;   ///< weights [experts, outputs, inputs], scales [experts, outputs]
  std::int64_t chosen = 0;

  /// `x`: [tokens, width]. `routes`: where given, may have other experts taken.
  [[nodiscard]] Choice choose(const at::Tensor& x, Routes* routes = nullptr) const;
  /// `x`: [tokens, width]; gives the same.
  [[nodiscard]] at::Tensor operator()(const at::Tensor& x, Routes* routes = nullptr) const;
};

/// The same in float64, an expert after the other: copies of those of many tokens would not fit.
at::Tensor exact(const Experts& experts, const at::Tensor& x, Routes* routes = nullptr);

}  // namespace perfgate::language_models
