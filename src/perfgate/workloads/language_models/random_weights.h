#pragma once
// Random weights of a language model, made on the device in the type in which they are held: a
// model of 13 GB has no room for a second copy of itself.

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "perfgate/workloads/language_models/linear.h"
#include "perfgate/workloads/language_models/model_shape.h"

namespace perfgate::language_models {

/// Gives other weights at each call, in the same order in every process.
class RandomWeights {
 public:
  RandomWeights(const Precision& precision, at::Device device);

  /// Normal values whose products with activations of unit variance have the variance
  /// `gain` squared: a standard deviation of gain / sqrt(inputs).
  Linear linear(at::IntArrayRef networks, std::int64_t outputs, std::int64_t inputs,
                double gain = 1);
  /// The same, never quantised, of any standard deviation.
  at::Tensor matrix(at::IntArrayRef sizes, double deviation);
  /// Ones.
  [[nodiscard]] at::Tensor norm(std::int64_t width) const;

 private:
  at::Tensor next(const at::Tensor& block, at::IntArrayRef sizes);

  Precision precision_;
  at::Device device_;
  at::Tensor normal_;       // a block of values that is repeated
  at::Tensor quantised_;    // the same in int8
  std::int64_t begin_ = 0;  // where the next weights begin in it
};

}  // namespace perfgate::language_models
