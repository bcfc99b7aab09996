#include "perfgate/workloads/language_models/model_shape.h"

#include <algorithm>
#include <cmath>

#include "perfgate/workloads/case.h"

namespace perfgate::language_models {
namespace {

// Of a matrix as it is held; a quantised one has a scale for each output.
double matrix_bytes(const Precision& precision, std::int64_t outputs, std::int64_t inputs) {
  const auto values = static_cast<double>(outputs * inputs);
  const double size = size_of(precision.activations);
  return precision.int8_weights ? values + size * static_cast<double>(outputs) : size * values;
}

double attention_bytes(const ModelShape& shape, const Precision& precision) {
  return matrix_bytes(precision, shape.qkv_rows(), shape.width) +
         matrix_bytes(precision, shape.width, shape.width);
}

double feed_forward_bytes(const ModelShape& shape, const Precision& precision) {
  return 2 * matrix_bytes(precision, shape.hidden, shape.width) +
         matrix_bytes(precision, shape.width, shape.hidden);
}

// With `networks` feed-forward networks in each layer, and what chooses among them.
double bytes_with(const ModelShape& shape, const Precision& precision, double networks) {
  const double size = size_of(precision.activations);
  const double norm = size * static_cast<double>(shape.width);
  const double choice = norm * static_cast<double>(shape.experts);
  const double layer = attention_bytes(shape, precision) + choice + 2 * norm +
                       networks * feed_forward_bytes(shape, precision);
  return static_cast<double>(shape.layers) * layer + norm +
         matrix_bytes(precision, shape.vocabulary, shape.width);
}

}  // namespace

ModelShape llama2_7b() { return {"llama2_7b", 32, 4096, 32, 32, 11008, 32000}; }

ModelShape mixtral_8x7b() { return {"mixtral_8x7b", 16, 4096, 32, 8, 14336, 32000, 8, 2, 1e6}; }

ModelShape tiny_llama() { return {"tiny_llama", 4, 256, 8, 8, 688, 1024}; }

ModelShape tiny_mixtral() { return {"tiny_mixtral", 4, 256, 8, 2, 448, 1024, 8, 2, 1e6}; }

std::string Precision::name() const { return int8_weights ? "int8" : short_name(activations); }

double networks_of_a_pass(const ModelShape& shape, std::int64_t tokens) {
  if (shape.experts == 0) {
    return 1;
  }
  const auto experts = static_cast<double>(shape.experts);
  const double left_out = 1 - static_cast<double>(shape.chosen) / experts;  // by one token
  return experts * (1 - std::pow(left_out, static_cast<double>(tokens)));
}

Bytes bytes_of_a_pass(const ModelShape& shape, const Precision& precision, std::int64_t tokens) {
  return {bytes_with(shape, precision, networks_of_a_pass(shape, tokens))};
}

Bytes model_bytes(const ModelShape& shape, const Precision& precision) {
  const double embedding =
      size_of(precision.activations) * static_cast<double>(shape.vocabulary * shape.width);
  const auto networks = static_cast<double>(std::max<std::int64_t>(1, shape.experts));
  return {bytes_with(shape, precision, networks) + embedding};
}

Bytes cache_bytes(const ModelShape& shape, const Precision& precision, std::int64_t positions) {
  return {2 * size_of(precision.activations) *
          static_cast<double>(shape.layers * shape.kv_heads * positions * shape.head_width())};
}

}  // namespace perfgate::language_models
