#include "perfgate/workloads/fastrnns/resnet_network.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/adaptive_avg_pool2d.h>
#include <ATen/ops/batch_norm.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/gather.h>
#include <ATen/ops/gt.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/max_pool2d.h>
#include <ATen/ops/max_pool2d_with_indices.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/zeros.h>

#include <cmath>

#include "perfgate/workloads/inputs.h"

namespace perfgate::fastrnns {
namespace {

constexpr std::uint64_t kInputSeed = 1;

// Makes layers one after the other, each with a seed of its own.
class Layers {
 public:
  explicit Layers(at::Device device) : device_(device) {}

  // He's initialisation by the number of outputs: normal, of variance 2 / (outputs size^2).
  ConvolutionNorm convolution(const ConvolutionShape& shape) {
    const double deviation =
        std::sqrt(2.0 / static_cast<double>(shape.outputs * shape.size * shape.size));
    const auto options = at::TensorOptions(at::kFloat).device(device_);
    return {normal({shape.outputs, shape.inputs, shape.size, shape.size}, deviation),
            at::ones({shape.outputs}, options).requires_grad_(true),
            at::zeros({shape.outputs}, options).requires_grad_(true),
            at::zeros({shape.outputs}, options),
            at::ones({shape.outputs}, options),
            shape.stride};
  }

  ResidualBlock block(const BlockShape& shape) {
    ResidualBlock out;
    for (const auto& layer : shape.convolutions) {
      out.convolutions.push_back(convolution(layer));
    }
    // What a block adds is small at first, as in Goyal et al., "Accurate, Large Minibatch SGD",
    // 2017 (there 0, which would leave most gradients 0). With 1, a rounding grows 400-fold on its
    // way through 50 layers: in bf16 nothing of the right outputs would be left.
    constexpr double kBranchScale = 0.1;
    out.convolutions.back().scale.detach().fill_(kBranchScale);
    if (shape.projection) {
      out.projection = convolution(*shape.projection);
    }
    return out;
  }

  at::Tensor normal(at::IntArrayRef sizes, double deviation) {
    return random_normal(sizes, at::kFloat, device_, ++seed_).mul_(deviation).requires_grad_(true);
  }

 private:
  at::Device device_;
  std::uint64_t seed_ = kInputSeed;
};

// The kinks of a training step: in place, by LibTorch's own operators.
struct InPlace {
  static at::Tensor rectify(const at::Tensor& x) { return x.relu_(); }
  static at::Tensor add(const at::Tensor& x, const at::Tensor& other) { return x.add_(other); }
  static at::Tensor pool(const at::Tensor& x) { return at::max_pool2d(x, {3, 3}, {2, 2}, {1, 1}); }
};

struct Noting {
  Branches& branches;

  [[nodiscard]] at::Tensor rectify(const at::Tensor& x) const {
    branches.passed.push_back(x.gt(0));
    return x.relu();
  }
  static at::Tensor add(const at::Tensor& x, const at::Tensor& other) { return x + other; }
  [[nodiscard]] at::Tensor pool(const at::Tensor& x) const {
    auto [out, indices] = at::max_pool2d_with_indices(x, {3, 3}, {2, 2}, {1, 1});
    branches.pooled = indices;
    return out;
  }
};

struct Along {
  const Branches& branches;
  std::size_t next = 0;

  at::Tensor rectify(const at::Tensor& x) { return x * branches.passed.at(next++); }
  static at::Tensor add(const at::Tensor& x, const at::Tensor& other) { return x + other; }
  [[nodiscard]] at::Tensor pool(const at::Tensor& x) const {
    const at::Tensor pixels = branches.pooled.flatten(2);
    return x.flatten(2).gather(2, pixels).view(branches.pooled.sizes());
  }
};

at::Tensor run(const at::Tensor& x, const ConvolutionNorm& layer) {
  constexpr double kMomentum = 0.1;
  constexpr double kEpsilon = 1e-5;
  const std::int64_t padding = layer.weight.size(-1) / 2;
  return at::batch_norm(
      at::conv2d(x, layer.weight, {}, {layer.stride, layer.stride}, {padding, padding}),
      layer.scale, layer.shift, layer.mean, layer.variance, /*training=*/true, kMomentum, kEpsilon,
      /*cudnn_enabled=*/true);
}

template <class Kinks>
at::Tensor run(const at::Tensor& x, const ResidualBlock& block, Kinks& kinks) {
  at::Tensor out = x;
  for (std::size_t i = 0; i < block.convolutions.size(); ++i) {
    out = run(out, block.convolutions[i]);
    if (i + 1 < block.convolutions.size()) {
      out = kinks.rectify(out);
    }
  }
  return kinks.rectify(kinks.add(out, block.projection ? run(x, *block.projection) : x));
}

template <class Kinks>
at::Tensor run(const ResnetNetwork& network, Kinks kinks) {
  at::Tensor out = kinks.pool(kinks.rectify(run(network.x, network.stem)));
  for (const auto& block : network.blocks) {
    out = run(out, block, kinks);
  }
  return at::linear(at::adaptive_avg_pool2d(out, {1, 1}).flatten(1), network.classifier,
                    network.bias);
}

template <class Visit>
void visit_tensors(ResnetNetwork& network, Visit&& visit) {
  const auto visit_layer = [&visit](ConvolutionNorm& layer) {
    for (at::Tensor* tensor :
         {&layer.weight, &layer.scale, &layer.shift, &layer.mean, &layer.variance}) {
      visit(*tensor);
    }
  };
  visit(network.x);
  visit_layer(network.stem);
  for (auto& block : network.blocks) {
    for (auto& layer : block.convolutions) {
      visit_layer(layer);
    }
    if (block.projection) {
      visit_layer(*block.projection);
    }
  }
  visit(network.classifier);
  visit(network.bias);
}

template <class Change>
ResnetNetwork changed(const ResnetNetwork& network, Change&& change) {
  ResnetNetwork out = network;
  visit_tensors(out, [&change](at::Tensor& tensor) {
    tensor = change(tensor.detach()).requires_grad_(tensor.requires_grad());
  });
  return out;
}

}  // namespace

std::vector<at::Tensor> ResnetNetwork::tensors() const {
  std::vector<at::Tensor> out;
  ResnetNetwork same = *this;
  visit_tensors(same, [&out](const at::Tensor& tensor) { out.push_back(tensor); });
  return out;
}

std::vector<at::Tensor> ResnetNetwork::parameters() const {
  std::vector<at::Tensor> out;
  for (const auto& tensor : tensors()) {
    if (tensor.requires_grad()) {
      out.push_back(tensor);
    }
  }
  return out;
}

ResnetNetwork ResnetNetwork::with(const std::vector<at::Tensor>& tensors) const {
  ResnetNetwork out = *this;
  std::size_t next = 0;
  visit_tensors(out, [&](at::Tensor& tensor) { tensor = tensors.at(next++); });
  return out;
}

ResnetNetwork make_resnet(const ResnetShape& shape, at::Device device) {
  Layers layers(device);
  ResnetNetwork out;
  out.x = random_normal({shape.batch, 3, shape.side, shape.side}, at::kFloat, device, kInputSeed);
  out.stem = layers.convolution(shape.stem);
  for (const auto& block : shape.blocks) {
    out.blocks.push_back(layers.block(block));
  }
  // As nn.Linear draws them: within one over the root of the inputs, uniformly, whose variance is a
  // third of that squared.
  const double deviation = 1 / std::sqrt(3.0 * static_cast<double>(shape.features()));
  out.classifier = layers.normal({kClasses, shape.features()}, deviation);
  out.bias = layers.normal({kClasses}, deviation);
  return out;
}

ResnetNetwork exact(const ResnetNetwork& network) {
  return changed(network, [](const at::Tensor& tensor) { return tensor.to(at::kDouble); });
}

ResnetNetwork in_channels_last(const ResnetNetwork& network) {
  return changed(network, [](const at::Tensor& tensor) {
    return tensor.dim() == 4 ? tensor.contiguous(at::MemoryFormat::ChannelsLast) : tensor;
  });
}

at::Tensor run_resnet(const ResnetNetwork& network) { return run(network, InPlace{}); }

at::Tensor run_resnet_noting(const ResnetNetwork& network, Branches& branches) {
  branches = {};
  return run(network, Noting{branches});
}

at::Tensor run_resnet_along(const ResnetNetwork& network, const Branches& branches) {
  return run(network, Along{branches});
}

}  // namespace perfgate::fastrnns
