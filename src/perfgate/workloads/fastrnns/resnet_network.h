#pragma once
// A ResNet with random weights, layer by layer from LibTorch's operators.

#include <ATen/core/Tensor.h>

#include <functional>
#include <optional>
#include <vector>

#include "perfgate/workloads/fastrnns/resnet_shape.h"

namespace perfgate::fastrnns {

/// A convolution and the batch normalisation behind it, by its batch's own statistics.
struct ConvolutionNorm {
  at::Tensor weight;    ///< [outputs, inputs, size, size]
  at::Tensor scale;     ///< [outputs]
  at::Tensor shift;     ///< [outputs]
  at::Tensor mean;      ///< [outputs], running: written by each forward
  at::Tensor variance;  ///< the same
  std::int64_t stride = 1;
};

struct ResidualBlock {
  std::vector<ConvolutionNorm> convolutions;
  std::optional<ConvolutionNorm> projection;
};

struct ResnetNetwork {
  at::Tensor x;  ///< [batch, 3, side, side]
  ConvolutionNorm stem;
  std::vector<ResidualBlock> blocks;
  at::Tensor classifier;  ///< [1000, features]
  at::Tensor bias;        ///< [1000]

  /// Every tensor, x first, then in the order of the layers.
  [[nodiscard]] std::vector<at::Tensor> tensors() const;
  /// Those that are trained. x is not: nobody trains a picture.
  [[nodiscard]] std::vector<at::Tensor> parameters() const;
  /// The same network with other tensors, in the order of tensors().
  [[nodiscard]] ResnetNetwork with(const std::vector<at::Tensor>& tensors) const;
};

/// Random, the same in every process, in fp32; parameters require gradients. Call with autograd on.
ResnetNetwork make_resnet(const ResnetShape& shape, at::Device device);

/// The same in float64, parameters of its own.
ResnetNetwork exact(const ResnetNetwork& network);

/// The same with pictures and windows in channels_last: colours of one pixel side by side.
ResnetNetwork in_channels_last(const ResnetNetwork& network);

/// Which way a forward went at each kink: of each rectifier which values passed, of the pooling
/// which pixels. Between the kinks a network is smooth.
struct Branches {
  std::vector<at::Tensor> passed;  ///< bool, in the order of the layers
  at::Tensor pooled;               ///< indices of max_pool2d_with_indices
};

/// [batch, 1000]; batch normalisation as in training.
at::Tensor run_resnet(const ResnetNetwork& network);

/// The same, out of place; notes in `branches` which way it went.
at::Tensor run_resnet_noting(const ResnetNetwork& network, Branches& branches);

/// The same along the branches that another forward took, whatever this one's own values say. Its
/// gradients are those of the smooth function that the other one computed: where values lie within
/// a rounding of a kink, float64 and fp32 would go different ways, and differ by more than
/// rounding.
at::Tensor run_resnet_along(const ResnetNetwork& network, const Branches& branches);

}  // namespace perfgate::fastrnns
