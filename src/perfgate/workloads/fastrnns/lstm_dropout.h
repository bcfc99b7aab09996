#pragma once
// LSTMs of two layers with dropout between them.

#include <vector>

#include "perfgate/workloads/case.h"

namespace perfgate::fastrnns {

/// cudnn_dropout (GPUs) and jit_dropout. Between two layers, because dropout is behind every layer
/// but the last.
std::vector<Case> lstm_dropout(at::DeviceType device);

}  // namespace perfgate::fastrnns
