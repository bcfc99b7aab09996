#pragma once
// LSTMs with layer normalisation (Ba et al., "Layer Normalization", 2016): of both products and of
// the cell state, in place of biases.

#include <vector>

#include "perfgate/workloads/case.h"

namespace perfgate::fastrnns {

/// jit_layernorm by LibTorch's operator, jit_layernorm_decom by mean and deviation written out. On
/// GPUs cudnn_layernorm, forward alone: cuDNN's LSTM and, beside it, as many normalisations as the
/// others make, which is the least that one could take.
std::vector<Case> lstm_layer_norm(at::DeviceType device);

}  // namespace perfgate::fastrnns
