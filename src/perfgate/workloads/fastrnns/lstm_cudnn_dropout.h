#pragma once
// nn.LSTM by cuDNN with dropout between its layers, from a random state that can be rewound: cuDNN
// draws what it drops from a state that moves on with each run, and does not say what it was.

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "perfgate/workloads/fastrnns/lstm_network.h"

namespace perfgate::fastrnns {

class CudnnDropout {
 public:
  /// `dropped`: the share of values that is dropped. Throws where this LibTorch has no cuDNN.
  CudnnDropout(const LstmNetwork& network, double dropped, std::uint64_t seed);

  /// What the next run drops is the same from here each time.
  void rewind() const { state_.copy_(first_state_); }

  [[nodiscard]] LstmResult run() const { return run(trained_); }

  /// Which values between the two layers a run behind `rewind` keeps: [steps, batch, units],
  /// booleans. Found by a network of the same sizes that drops by the same state, and whose output
  /// shows where a value was dropped.
  [[nodiscard]] at::Tensor kept() const;

 private:
  // A network as cuDNN's operator takes it, so that a run collects nothing.
  struct Arguments {
    explicit Arguments(const LstmNetwork& lstm);
    LstmNetwork network;
    LstmShape shape;
    std::vector<at::Tensor> weights;
    at::Tensor block;  // in which the weights lie, one behind the other
  };

  [[nodiscard]] LstmResult run(const Arguments& arguments) const;

  Arguments trained_;
  double dropped_;
  at::Tensor first_state_;
  at::Tensor state_;
};

}  // namespace perfgate::fastrnns
