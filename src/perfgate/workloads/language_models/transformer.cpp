#include "perfgate/workloads/language_models/transformer.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
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

// In float64.
at::Tensor exact(const Layer& layer, const ModelShape& shape, const at::Tensor& x,
                 const Pass& pass) {
  const auto normed = [&](const at::Tensor& activations, const at::Tensor& weight) {
    return rms_norm(activations, weight.to(at::kDouble), shape.norm_epsilon);
  };
  const auto attended = x + exact(layer.attention)(shape, normed(x, layer.attention_norm), pass);
  const auto inputs = normed(attended, layer.feed_forward_norm);
  if (const auto* experts = std::get_if<Experts>(&layer.feed_forward)) {
    return attended + exact(*experts, inputs, pass.routes);
  }
  return attended + exact(std::get<FeedForward>(layer.feed_forward))(inputs);
}

}  // namespace

at::Tensor Layer::operator()(const ModelShape& shape, const at::Tensor& x, const Pass& pass) const {
  const auto attended = x + attention(shape, rms_norm(x, attention_norm, shape.norm_epsilon), pass);
  const auto normed = rms_norm(attended, feed_forward_norm, shape.norm_epsilon);
  if (const auto* experts = std::get_if<Experts>(&feed_forward)) {
    return attended + (*experts)(normed, pass.routes);
  }
  return attended + std::get<FeedForward>(feed_forward)(normed);
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

std::vector<at::Tensor> Transformer::weights() const {
  std::vector<at::Tensor> out = {embedding_, norm_};
  const auto add = [&out](const Linear& linear) {
    out.push_back(linear.weight);
    if (linear.scales.defined()) {
      out.push_back(linear.scales);
    }
  };
  const auto add_network = [&add](const FeedForward& network) {
    add(network.gate);
    add(network.up);
    add(network.down);
  };
  add(output_);
  for (const auto& layer : layers_) {
    out.push_back(layer.attention_norm);
    out.push_back(layer.feed_forward_norm);
    add(layer.attention.qkv);
    add(layer.attention.output);
    if (const auto* experts = std::get_if<Experts>(&layer.feed_forward)) {
      out.push_back(experts->score);
      add_network(experts->all);
    } else {
      add_network(std::get<FeedForward>(layer.feed_forward));
    }
  }
  return out;
}

Pass Transformer::pass_over(const at::Tensor& indices, Routes* routes) const {
  return {indices, at::index_select(angles_, 0, indices), at::index_select(visible_, 0, indices),
          routes};
}

at::Tensor Transformer::logits(const at::Tensor& tokens, const at::Tensor& indices,
                               const Notes& notes) const {
  const Pass pass = pass_over(indices, notes.routes);
  at::Tensor x = at::embedding(embedding_, tokens);
  for (const auto& layer : layers_) {
    x = layer(shape_, x, pass);
    if (notes.activations != nullptr) {
      notes.activations->push_back(x);
    }
  }
  return output_(rms_norm(x, norm_, shape_.norm_epsilon));
}

// Angles stay as they were rounded: they are part of the model.
at::Tensor Transformer::exact_logits(const at::Tensor& tokens, Routes* routes) const {
  const Pass pass = pass_over(at::arange(tokens.size(0), tokens.options()), routes);
  at::Tensor x = at::embedding(embedding_, tokens).to(at::kDouble);
  for (const auto& layer : layers_) {
    x = exact(layer, shape_, x, pass);
  }
  return exact(output_)(rms_norm(x, norm_.to(at::kDouble), shape_.norm_epsilon));
}

std::vector<at::Tensor> Transformer::exact_layers(const at::Tensor& tokens,
                                                  const std::vector<at::Tensor>& activations,
                                                  Routes* routes) const {
  const Pass pass = pass_over(at::arange(tokens.size(0), tokens.options()), routes);
  std::vector<at::Tensor> out;
  at::Tensor x = at::embedding(embedding_, tokens);
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    out.push_back(exact(layers_[i], shape_, x.to(at::kDouble), pass));
    x = activations.at(i);
  }
  return out;
}

}  // namespace perfgate::language_models
