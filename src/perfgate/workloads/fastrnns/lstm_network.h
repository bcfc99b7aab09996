#pragma once
// One LSTM network with random weights, and the ways to run it operator by operator: LibTorch's own
// operator, and a loop over cells in C++. All ways share these weights, so their results agree.

#include <ATen/core/Tensor.h>

#include <vector>

#include "perfgate/workloads/fastrnns/lstm_shape.h"

namespace perfgate::fastrnns {

/// Of one layer. Gates lie one behind the other: input, forget, cell, output.
struct LstmLayer {
  at::Tensor input_weight;   ///< [4 units, inputs]
  at::Tensor hidden_weight;  ///< [4 units, units]
  at::Tensor input_bias;     ///< [4 units]
  at::Tensor hidden_bias;    ///< [4 units]
};

struct LstmNetwork {
  at::Tensor x;       ///< [steps, batch, inputs]
  at::Tensor hidden;  ///< [layers, batch, units]; where the sequence begins
  at::Tensor cell;    ///< the same
  std::vector<LstmLayer> layers;

  /// Each layer's weights and biases.
  [[nodiscard]] std::vector<at::Tensor> weights() const;
  /// x, then the weights.
  [[nodiscard]] std::vector<at::Tensor> leaves() const;
};

/// What a network gives: every step's hidden state [steps, batch, units], and the last hidden and
/// cell state of each layer [layers, batch, units].
struct LstmResult {
  at::Tensor output;
  at::Tensor hidden;
  at::Tensor cell;
};

/// Random, the same in every process, in fp32. Weights lie in one block in cuDNN's order, or
/// LibTorch would copy them before each call. Leaves require gradients; call with autograd on.
LstmNetwork make_lstm(const LstmShape& shape, at::Device device);

/// The same in float64, leaves of its own.
LstmNetwork exact(const LstmNetwork& network);

/// nn.LSTM's operator: cuDNN's kernels where that is allowed and there, else LibTorch's own.
LstmResult run_operator(const LstmNetwork& network, bool allow_cudnn);

/// The cell loop in C++.
LstmResult run_loop(const LstmNetwork& network);

}  // namespace perfgate::fastrnns
