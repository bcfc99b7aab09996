#pragma once
// LSTM networks in TorchScript, compiled from source text: the same network written in the ways
// that the benchmark compares, which differ in what the compiler gets to see at once.

#include <functional>
#include <string>
#include <vector>

#include "perfgate/workloads/fastrnns/lstm_network.h"

namespace perfgate::fastrnns {

/// "jit", "jit_premul", "jit_premul_bias", "jit_simple", "jit_multilayer".
const std::vector<std::string>& scripted_runners();

/// The network as the script of that name runs it; compiled here, optimised in its first runs by
/// whatever executor is set then. `network` is kept. Throws std::invalid_argument for another name,
/// or for several layers where the script takes one.
std::function<LstmResult()> scripted(const std::string& runner, const LstmNetwork& network);

}  // namespace perfgate::fastrnns
