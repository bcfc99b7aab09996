#pragma once
// A ResNet as TorchScript, traced from one run.

#include <functional>

#include "perfgate/workloads/fastrnns/resnet_network.h"

namespace perfgate::fastrnns {

/// The network's forward, whose tensors are the arguments of the graph; optimised in its first runs
/// by whatever executor is set then. `network` is kept.
std::function<at::Tensor()> traced(const ResnetNetwork& network);

}  // namespace perfgate::fastrnns
