#include "perfgate/workloads/fastrnns/lstm_script.h"

#include <algorithm>
#include <stdexcept>

#include "perfgate/workloads/fastrnns/script.h"

namespace perfgate::fastrnns {
namespace {

// Shapes: x [steps, batch, inputs]; h, c [batch, units]; weights [4 units, ...]; biases [4 units].
constexpr const char* kSource = R"script(
def next_state(gates: Tensor, c: Tensor) -> Tuple[Tensor, Tensor]:
    i, f, g, o = gates.chunk(4, 1)
    next_c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(next_c), next_c

def cell(x: Tensor, state: Tuple[Tensor, Tensor], weights: Tuple[Tensor, Tensor],
         biases: Tuple[Tensor, Tensor]) -> Tuple[Tensor, Tensor]:
    h, c = state
    of_x, of_h = weights
    bias_x, bias_h = biases
    return next_state(torch.mm(x, of_x.t()) + torch.mm(h, of_h.t()) + bias_x + bias_h, c)

def run_layer(x: Tensor, h: Tensor, c: Tensor, weights: Tuple[Tensor, Tensor],
              biases: Tuple[Tensor, Tensor]) -> Tuple[Tensor, Tensor, Tensor]:
    outputs: List[Tensor] = []
    for step in x.unbind(0):
        h, c = cell(step, (h, c), weights, biases)
        outputs.append(h)
    return torch.stack(outputs), h, c

def jit(x: Tensor, h: Tensor, c: Tensor, w_x: Tensor, w_h: Tensor, b_x: Tensor,
        b_h: Tensor) -> Tuple[Tensor, Tensor, Tensor]:
    output, hidden, cell_state = run_layer(x, h[0], c[0], (w_x, w_h), (b_x, b_h))
    return output, hidden.unsqueeze(0), cell_state.unsqueeze(0)

def jit_premul(x: Tensor, h: Tensor, c: Tensor, w_x: Tensor, w_h: Tensor, b_x: Tensor,
               b_h: Tensor) -> Tuple[Tensor, Tensor, Tensor]:
    outputs: List[Tensor] = []
    hidden, cell_state = h[0], c[0]
    for of_x in torch.matmul(x, w_x.t()).unbind(0):
        hidden, cell_state = next_state(of_x + torch.mm(hidden, w_h.t()) + b_x + b_h, cell_state)
        outputs.append(hidden)
    return torch.stack(outputs), hidden.unsqueeze(0), cell_state.unsqueeze(0)

def jit_premul_bias(x: Tensor, h: Tensor, c: Tensor, w_x: Tensor, w_h: Tensor, b_x: Tensor,
                    b_h: Tensor) -> Tuple[Tensor, Tensor, Tensor]:
    outputs: List[Tensor] = []
    hidden, cell_state = h[0], c[0]
    for of_x in (torch.matmul(x, w_x.t()) + b_x).unbind(0):
        hidden, cell_state = next_state(of_x + torch.mm(hidden, w_h.t()) + b_h, cell_state)
        outputs.append(hidden)
    return torch.stack(outputs), hidden.unsqueeze(0), cell_state.unsqueeze(0)

def jit_simple(x: Tensor, h: Tensor, c: Tensor, w_x: Tensor, w_h: Tensor, b_x: Tensor,
               b_h: Tensor) -> Tuple[Tensor, Tensor, Tensor]:
    outputs: List[Tensor] = []
    hidden, cell_state = h[0], c[0]
    for step in x.unbind(0):
        gates = torch.mm(step, w_x.t()) + torch.mm(hidden, w_h.t()) + b_x + b_h
        i, f, g, o = gates.chunk(4, 1)
        cell_state = torch.sigmoid(f) * cell_state + torch.sigmoid(i) * torch.tanh(g)
        hidden = torch.sigmoid(o) * torch.tanh(cell_state)
        outputs.append(hidden)
    return torch.stack(outputs), hidden.unsqueeze(0), cell_state.unsqueeze(0)

def jit_multilayer(x: Tensor, h: Tensor, c: Tensor,
                   weights: List[Tensor]) -> Tuple[Tensor, Tensor, Tensor]:
    hidden: List[Tensor] = []
    cells: List[Tensor] = []
    for layer in range(h.size(0)):
        x, h_l, c_l = run_layer(x, h[layer], c[layer], (weights[4 * layer], weights[4 * layer + 1]),
                                (weights[4 * layer + 2], weights[4 * layer + 3]))
        hidden.append(h_l)
        cells.append(c_l)
    return x, torch.stack(hidden), torch.stack(cells)
)script";

constexpr const char* kMultilayer = "jit_multilayer";

std::vector<c10::IValue> arguments_of(const std::string& runner, const LstmNetwork& network) {
  const std::vector<at::Tensor> weights = network.weights();
  std::vector<c10::IValue> out = {network.x, network.hidden, network.cell};
  if (runner == kMultilayer) {
    out.emplace_back(weights);
  } else {
    out.insert(out.end(), weights.begin(), weights.end());
  }
  return out;
}

}  // namespace

const std::vector<std::string>& scripted_runners() {
  static const std::vector<std::string> runners = {"jit", "jit_premul", "jit_premul_bias",
                                                   "jit_simple", kMultilayer};
  return runners;
}

std::function<LstmResult()> scripted(const std::string& runner, const LstmNetwork& network) {
  const auto& known = scripted_runners();
  if (std::find(known.begin(), known.end(), runner) == known.end()) {
    throw std::invalid_argument("no scripted LSTM \"" + runner + "\"");
  }
  if (runner != kMultilayer && network.layers.size() != 1) {
    throw std::invalid_argument("\"" + runner + "\" has one layer; take " + kMultilayer);
  }
  return [arguments = arguments_of(runner, network), run = compile_script(kSource, runner)] {
    const auto result = run(arguments).toTuple();
    const auto& parts = result->elements();
    return LstmResult{parts[0].toTensor(), parts[1].toTensor(), parts[2].toTensor()};
  };
}

}  // namespace perfgate::fastrnns
