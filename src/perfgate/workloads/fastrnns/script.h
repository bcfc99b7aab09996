#pragma once
// Functions of TorchScript, compiled from source text.

#include <ATen/core/ivalue.h>

#include <functional>
#include <string>
#include <vector>

namespace perfgate::fastrnns {

/// An LSTM's cell, for scripts to begin with: x [batch, inputs]; h, c [batch, units]; weights
/// [4 units, ...]; biases [4 units]. Gives the next h and c.
inline constexpr const char* kCellSource = R"script(
def cell(x: Tensor, h: Tensor, c: Tensor, w_x: Tensor, w_h: Tensor, b_x: Tensor,
         b_h: Tensor) -> Tuple[Tensor, Tensor]:
    gates = torch.mm(x, w_x.t()) + torch.mm(h, w_h.t()) + b_x + b_h
    i, f, g, o = gates.chunk(4, 1)
    next_c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(next_c), next_c
)script";

using ScriptFunction = std::function<c10::IValue(const std::vector<c10::IValue>& arguments)>;

/// `name` of `source`: compiled here, optimised in its first runs by whatever executor is set then.
/// Throws c10::Error for source that is malformed.
ScriptFunction compile_script(const std::string& source, const std::string& name);

}  // namespace perfgate::fastrnns
