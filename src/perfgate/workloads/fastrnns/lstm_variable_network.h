#pragma once
// One layer of an LSTM over sequences of different lengths, and the ways to run it.

#include <ATen/core/Tensor.h>

#include <vector>

#include "perfgate/workloads/fastrnns/lstm_network.h"

namespace perfgate::fastrnns {

struct VariableLstm {
  std::vector<at::Tensor> sequences;  ///< [length, inputs] each
  at::Tensor hidden;                  ///< [1, batch, units]; where sequences begin
  at::Tensor cell;                    ///< the same
  LstmLayer layer;

  /// The sequences, then weights and biases.
  [[nodiscard]] std::vector<at::Tensor> leaves() const;
};

/// Lengths of `shape.batch` sequences: from three tenths of the steps to less than all of them,
/// evenly spread, in no order.
std::vector<std::int64_t> lengths_of(const LstmShape& shape);

/// Weights as make_lstm's. Call with autograd on.
VariableLstm make_variable(const LstmShape& shape, at::Device device);
VariableLstm exact(const VariableLstm& network);

/// All ways give the outputs padded with zeros [longest, batch, units], and the last states
/// [1, batch, units]. Packed: sorted by length, by one operator, and back.
LstmResult run_packed(const VariableLstm& network, bool allow_cudnn);
/// Each sequence by itself, cell by cell, in C++.
LstmResult run_each_in_cells(const VariableLstm& network);
/// Each sequence by itself, by LibTorch's operator.
LstmResult run_each(const VariableLstm& network);

}  // namespace perfgate::fastrnns
