#include "perfgate/workloads/language_models/transformer.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/embedding.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/tril.h>
#include <ATen/ops/zeros.h>

#include <cmath>

#include "perfgate/workloads/language_models/random_weights.h"
#include "perfgate/workloads/language_models/rms_norm.h"
#include "perfgate/workloads/language_models/rotary.h"

namespace perfgate::language_models {
namespace {

FeedForward random_networks(const ModelShape& shape, at::IntArrayRef networks, double gain,
                            RandomWeights& random) {
  FeedForward out;
  out.gate = random.linear(networks, shape.hidden, shape.width);
  out.up = random.linear(networks, shape.hidden, shape.width);
  out.down = random.linear(networks, shape.width, shape.hidden, gain);
  return out;
}

Layer random_layer(const ModelShape& shape, const Precision& precision, std::int64_t positions,
                   at::Device device, RandomWeights& random) {
  // What the layers add to the activations has unit variance together.
  const double gain = 1 / std::sqrt(2.0 * static_cast<double>(shape.layers));
  const auto cache = [&] {
    return at::zeros({shape.kv_heads, positions, shape.head_width()},
                     at::TensorOptions().dtype(precision.activations).device(device));
  };
  Layer out;
  out.attention_norm = random.norm(shape.width);
  out.attention.qkv = random.linear({}, shape.qkv_rows(), shape.width);
  out.attention.output = random.linear({}, shape.width, shape.width, gain);
  out.attention.keys = cache();
  out.attention.values = cache();
  out.feed_forward_norm = random.norm(shape.width);
  if (shape.experts == 0) {
    out.feed_forward = random_networks(shape, {}, gain, random);
  } else {
    const double deviation = 1 / std::sqrt(static_cast<double>(shape.width));
    out.feed_forward = Experts{random.matrix({shape.experts, shape.width}, deviation),
                               random_networks(shape, {shape.experts}, gain, random), shape.chosen};
  }
  return out;
}

Layer exact_layer(const Layer& layer) {
  Layer out{layer.attention_norm.to(at::kDouble),
            exact(layer.attention),
            layer.feed_forward_norm.to(at::kDouble),
            {}};
  std::visit([&out](const auto& network) { out.feed_forward = exact(network); },
             layer.feed_forward);
  return out;
}

}  // namespace

at::Tensor Layer::operator()(const ModelShape& shape, const at::Tensor& x,
                             const Positions& at) const {
  const auto attended = x + attention(shape, rms_norm(x, attention_norm, shape.norm_epsilon), at);
  const auto normed = rms_norm(attended, feed_forward_norm, shape.norm_epsilon);
  return attended +
         std::visit([&normed](const auto& network) { return network(normed); }, feed_forward);
}

Transformer::Transformer(const ModelShape& shape, const Precision& precision,
                         std::int64_t positions, at::Device device)
    : shape_(shape) {
  RandomWeights random(precision, device);
  embedding_ = random.matrix({shape.vocabulary, shape.width}, 1);
  for (std::int64_t i = 0; i < shape.layers; ++i) {
    layers_.push_back(random_layer(shape, precision, positions, device, random));
  }
  norm_ = random.norm(shape.width);
  output_ = random.linear({}, shape.vocabulary, shape.width);
  angles_ =
      rotary_table(positions, shape.head_width(), shape.rope_base, precision.activations, device);
  visible_ =
      at::ones({positions, positions}, at::TensorOptions().dtype(at::kBool).device(device)).tril();
}

Transformer Transformer::exact() const {
  Transformer out;
  out.shape_ = shape_;
  out.embedding_ = embedding_.to(at::kDouble);
  for (const auto& layer : layers_) {
    out.layers_.push_back(exact_layer(layer));
  }
  out.norm_ = norm_.to(at::kDouble);
  out.output_ = language_models::exact(output_);
  out.angles_ = angles_.to(at::kDouble);  // as they were rounded: they are part of the model
  out.visible_ = visible_;
  return out;
}

at::Tensor Transformer::logits(const at::Tensor& tokens, const at::Tensor& indices) const {
  const Positions at = {indices, at::index_select(angles_, 0, indices),
                        at::index_select(visible_, 0, indices)};
  at::Tensor x = at::embedding(embedding_, tokens);
  for (const auto& layer : layers_) {
    x = layer(shape_, x, at);
  }
  return output_(rms_norm(x, norm_, shape_.norm_epsilon));
}

}  // namespace perfgate::language_models
