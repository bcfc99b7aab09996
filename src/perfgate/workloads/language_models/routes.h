#pragma once
// Which experts the mixtures of a model took for its tokens: noted in one run, followed in another.
// Two runs that round differently choose differently where two experts score alike, and then give
// other results altogether; along the same experts they agree.

#include <ATen/core/Tensor.h>

#include <limits>
#include <vector>

namespace perfgate::language_models {

/// What was noted in passes of `layers` layers each, a tensor a layer, one pass behind the other:
/// of each layer one tensor of the tokens of all passes.
std::vector<at::Tensor> joined_by_layer(const std::vector<at::Tensor>& noted, std::size_t layers);

class Routes {
 public:
  /// What a layer chose, int64, [tokens, chosen]; gives what it is to take: the same while noting,
  /// else what was noted for these tokens and this layer.
  at::Tensor take(const at::Tensor& chosen);

  /// Of passes of `layers` layers each, one behind the other, the same tokens in a single pass, to
  /// be followed once. Where nothing was noted, in a model without mixtures, nothing is followed.
  /// `slack`: see below.
  [[nodiscard]] Routes of_one_pass(std::size_t layers,
                                   double slack = std::numeric_limits<double>::infinity()) const;

  /// By how much an expert that is followed may score below the best ones, as a share of the root
  /// mean square of its token's scores.
  [[nodiscard]] double slack() const { return slack_; }

 private:
  std::vector<at::Tensor> noted_;
  double slack_ = std::numeric_limits<double>::infinity();
  bool follows_ = false;
  std::size_t next_ = 0;
};

}  // namespace perfgate::language_models
