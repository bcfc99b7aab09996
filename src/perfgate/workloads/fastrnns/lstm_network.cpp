#include "perfgate/workloads/fastrnns/lstm_network.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/chunk.h>
#include <ATen/ops/lstm.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/tanh.h>
#include <ATen/ops/unbind.h>

#include <cmath>
#include <tuple>

#include "perfgate/workloads/fastrnns/cudnn_guard.h"
#include "perfgate/workloads/inputs.h"

namespace perfgate::fastrnns {
namespace {

constexpr std::uint64_t kInputSeed = 1;
constexpr std::uint64_t kStateSeed = 2;
constexpr std::uint64_t kWeightSeed = 3;

// Matrices of all layers, then biases of all layers.
std::vector<LstmLayer> make_layers(const LstmShape& shape, at::Device device) {
  const std::int64_t rows = 4 * shape.units;
  const auto inputs_of = [&shape](std::int64_t layer) {
    return layer == 0 ? shape.inputs : shape.units;
  };
  std::int64_t count = 2 * rows * shape.layers;
  for (std::int64_t layer = 0; layer < shape.layers; ++layer) {
    count += rows * (inputs_of(layer) + shape.units);
  }
  // As nn.LSTM draws them: within one over the root of the units, uniformly, whose standard
  // deviation is a third of that squared.
  const auto block = random_normal({count}, at::kFloat, device, kWeightSeed)
                         .mul_(1 / std::sqrt(3.0 * static_cast<double>(shape.units)));
  std::int64_t begin = 0;
  const auto take = [&](at::IntArrayRef sizes, std::int64_t size) {
    auto out = block.narrow(0, begin, size).view(sizes).detach();
    begin += size;
    return out.requires_grad_(true);
  };
  std::vector<LstmLayer> out(static_cast<std::size_t>(shape.layers));
  std::int64_t layer = 0;
  for (auto& item : out) {
    item.input_weight = take({rows, inputs_of(layer)}, rows * inputs_of(layer));
    item.hidden_weight = take({rows, shape.units}, rows * shape.units);
    ++layer;
  }
  for (auto& item : out) {
    item.input_bias = take({rows}, rows);
    item.hidden_bias = take({rows}, rows);
  }
  return out;
}

at::Tensor exact_leaf(const at::Tensor& leaf) {
  return leaf.detach().to(at::kDouble).requires_grad_(true);
}

}  // namespace

std::vector<at::Tensor> LstmNetwork::weights() const {
  std::vector<at::Tensor> out;
  for (const auto& layer : layers) {
    out.insert(out.end(),
               {layer.input_weight, layer.hidden_weight, layer.input_bias, layer.hidden_bias});
  }
  return out;
}

std::vector<at::Tensor> LstmNetwork::leaves() const {
  std::vector<at::Tensor> out = weights();
  out.insert(out.begin(), x);
  return out;
}

LstmNetwork make_lstm(const LstmShape& shape, at::Device device) {
  const auto state = [&](std::uint64_t seed) {
    return random_normal({shape.layers, shape.batch, shape.units}, at::kFloat, device, seed);
  };
  return {random_normal({shape.steps, shape.batch, shape.inputs}, at::kFloat, device, kInputSeed)
              .requires_grad_(true),
          state(kStateSeed), state(kStateSeed + 1), make_layers(shape, device)};
}

LstmNetwork exact(const LstmNetwork& network) {
  LstmNetwork out{
      exact_leaf(network.x), network.hidden.to(at::kDouble), network.cell.to(at::kDouble), {}};
  for (const auto& layer : network.layers) {
    out.layers.push_back({exact_leaf(layer.input_weight), exact_leaf(layer.hidden_weight),
                          exact_leaf(layer.input_bias), exact_leaf(layer.hidden_bias)});
  }
  return out;
}

LstmResult run_operator(const LstmNetwork& network, bool allow_cudnn) {
  const CudnnGuard guard(allow_cudnn);
  const auto result =
      at::lstm(network.x, {network.hidden, network.cell}, network.weights(), /*has_biases=*/true,
               static_cast<std::int64_t>(network.layers.size()), /*dropout=*/0, /*train=*/true,
               /*bidirectional=*/false, /*batch_first=*/false);
  return {std::get<0>(result), std::get<1>(result), std::get<2>(result)};
}

LstmResult run_loop(const LstmNetwork& network) {
  at::Tensor sequence = network.x;
  std::vector<at::Tensor> hidden = network.hidden.unbind();
  std::vector<at::Tensor> cell = network.cell.unbind();
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    const auto& layer = network.layers[i];
    std::vector<at::Tensor> outputs;
    for (const auto& x : sequence.unbind()) {
      const auto gates = (at::mm(x, layer.input_weight.t()) + layer.input_bias +
                          at::mm(hidden[i], layer.hidden_weight.t()) + layer.hidden_bias)
                             .chunk(4, 1);
      cell[i] = at::sigmoid(gates[1]) * cell[i] + at::sigmoid(gates[0]) * at::tanh(gates[2]);
      hidden[i] = at::sigmoid(gates[3]) * at::tanh(cell[i]);
      outputs.push_back(hidden[i]);
    }
    sequence = at::stack(outputs);
  }
  return {sequence, at::stack(hidden), at::stack(cell)};
}

}  // namespace perfgate::fastrnns
