#include "perfgate/workloads/language_models/random_weights.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/clamp.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/roll.h>
#include <ATen/ops/round.h>

#include <cmath>
#include <vector>

#include "perfgate/workloads/inputs.h"

namespace perfgate::language_models {
namespace {

constexpr std::uint64_t kSeed = 60;
constexpr double kSteps = 30;  // of int8 for a standard deviation: 127 is beyond four

}  // namespace

RandomWeights::RandomWeights(const Precision& precision, at::Device device)
    : precision_(precision),
      device_(device),
      normal_(normal_values(kBlockLength, kSeed).to(device)),
      quantised_((normal_ * kSteps).round().clamp(-127, 127).to(at::kChar)) {}

// Begins elsewhere in the block for each, or layers would have the same weights.
at::Tensor RandomWeights::next(const at::Tensor& block, at::IntArrayRef sizes) {
  constexpr std::int64_t kStep = 104'729;  // a prime, so that no two of a model begin alike
  begin_ = (begin_ + kStep) % kBlockLength;
  return repeated(block.roll(-begin_), sizes, device_);
}

Linear RandomWeights::linear(at::IntArrayRef networks, std::int64_t outputs, std::int64_t inputs,
                             double gain) {
  std::vector<std::int64_t> sizes = networks.vec();
  sizes.push_back(outputs);
  const std::vector<std::int64_t> of_scales = sizes;
  sizes.push_back(inputs);
  const double deviation = gain / std::sqrt(static_cast<double>(inputs));
  if (!precision_.int8_weights) {
    return {matrix(sizes, deviation), {}};
  }
  return {next(quantised_, sizes),
          at::full(of_scales, deviation / kSteps,
                   at::TensorOptions().dtype(precision_.activations).device(device_)),
          precision_.int8pack};
}

at::Tensor RandomWeights::matrix(at::IntArrayRef sizes, double deviation) {
  return next((normal_ * deviation).to(precision_.activations), sizes);
}

at::Tensor RandomWeights::norm(std::int64_t width) const {
  return at::ones({width}, at::TensorOptions().dtype(precision_.activations).device(device_));
}

}  // namespace perfgate::language_models
