#include "perfgate/workloads/fastrnns/lstm_cudnn_dropout.h"

#include <ATen/ops/_cudnn_init_dropout_state.h>
#include <ATen/ops/_cudnn_rnn.h>
#include <ATen/ops/gt.h>

#include <stdexcept>
#include <tuple>

#include "perfgate/workloads/fastrnns/training.h"

namespace perfgate::fastrnns {
namespace {

constexpr std::int64_t kLstm = 2;             // cuDNN's number for this kind of network
constexpr std::int64_t kTensorsOfALayer = 4;  // weights and biases

// The block in which all weights lie, one behind the other.
at::Tensor block_of(const LstmNetwork& network) {
  const auto weights = network.weights();
  std::int64_t count = 0;
  for (const auto& weight : weights) {
    count += weight.numel();
  }
  return weights.front().detach().as_strided({count}, {1}, 0);
}

LstmShape shape_of(const LstmNetwork& network) {
  return {network.x.size(0), network.x.size(1), network.x.size(2), network.hidden.size(2),
          network.hidden.size(0)};
}

at::Tensor gate(const at::Tensor& of_all_gates, std::int64_t which, std::int64_t units) {
  return of_all_gates.narrow(0, which * units, units);
}

// The first layer's output is about 0.6 everywhere, for its gates see biases alone. The second lets
// each value through by itself, forgets the step before, and gives about 0.6 or 0.
LstmNetwork probe_like(const LstmNetwork& network) {
  constexpr double kOpen = 10;  // of a gate
  enum Gate { kInput, kForget, kCell, kOutput };
  LstmNetwork out = make_lstm(shape_of(network), network.x.device());
  const std::int64_t units = network.hidden.size(2);
  block_of(out).zero_();
  out.hidden.zero_();
  out.cell.zero_();
  for (auto& layer : out.layers) {
    const at::Tensor bias = layer.input_bias.detach();
    gate(bias, kInput, units).fill_(kOpen);
    gate(bias, kForget, units).fill_(-kOpen);
    gate(bias, kOutput, units).fill_(kOpen);
  }
  gate(out.layers[0].input_bias.detach(), kCell, units).fill_(1);
  gate(out.layers[1].input_weight.detach(), kCell, units).fill_diagonal_(1);
  return out;
}

}  // namespace

CudnnDropout::Arguments::Arguments(const LstmNetwork& lstm)
    : network(lstm), shape(shape_of(lstm)), weights(lstm.weights()), block(block_of(lstm)) {}

CudnnDropout::CudnnDropout(const LstmNetwork& network, double dropped, std::uint64_t seed)
    : trained_(network),
      dropped_(dropped),
      first_state_(at::_cudnn_init_dropout_state(dropped, /*train=*/true,
                                                 static_cast<std::int64_t>(seed),
                                                 network.x.options().dtype(at::kByte))),
      state_(first_state_.clone()) {
  if (network.layers.size() != 2) {
    throw std::invalid_argument("dropout lies between two layers");
  }
}

LstmResult CudnnDropout::run(const Arguments& arguments) const {
  const auto& [network, shape, weights, block] = arguments;
  const auto result =
      at::_cudnn_rnn(network.x, weights, kTensorsOfALayer, block, network.hidden, network.cell,
                     kLstm, shape.units, /*proj_size=*/0, shape.layers, /*batch_first=*/false,
                     dropped_, /*train=*/true, /*bidirectional=*/false, /*batch_sizes=*/{}, state_);
  return {std::get<0>(result), std::get<1>(result), std::get<2>(result)};
}

at::Tensor CudnnDropout::kept() const {
  return with_autograd([&] {
    rewind();
    return run(Arguments(probe_like(trained_.network))).output.detach().gt(0.3);
  });
}

}  // namespace perfgate::fastrnns
