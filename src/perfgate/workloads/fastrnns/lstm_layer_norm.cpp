#include "perfgate/workloads/fastrnns/lstm_layer_norm.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/chunk.h>
#include <ATen/ops/layer_norm.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/tanh.h>
#include <ATen/ops/unbind.h>

#include <cmath>
#include <functional>
#include <memory>
#include <string>

#include "perfgate/workloads/fastrnns/lstm_case.h"
#include "perfgate/workloads/fastrnns/lstm_network.h"
#include "perfgate/workloads/fastrnns/script.h"
#include "perfgate/workloads/fastrnns/training.h"
#include "perfgate/workloads/inputs.h"
#include "perfgate/workloads/prepared.h"

namespace perfgate::fastrnns {
namespace {

constexpr std::uint64_t kNormSeed = 20;
constexpr double kEpsilon = 1e-5;

constexpr const char* kOperator = R"script(
def norm(x: Tensor, scale: Tensor, shift: Tensor) -> Tensor:
    return torch.layer_norm(x, [x.size(-1)], scale, shift)
)script";

constexpr const char* kDecomposed = R"script(
def norm(x: Tensor, scale: Tensor, shift: Tensor) -> Tensor:
    mean = x.mean(-1, keepdim=True)
    deviation = x.std(-1, unbiased=False, keepdim=True)
    return (x - mean) / deviation * scale + shift
)script";

// Shapes as in Normalised.
constexpr const char* kNetwork = R"script(
def run(x: Tensor, h: Tensor, c: Tensor, w_x: Tensor, w_h: Tensor, scale_x: Tensor, shift_x: Tensor,
        scale_h: Tensor, shift_h: Tensor, scale_c: Tensor,
        shift_c: Tensor) -> Tuple[Tensor, Tensor, Tensor]:
    outputs: List[Tensor] = []
    hidden, cell = h[0], c[0]
    for step in x.unbind(0):
        gates = (norm(torch.mm(step, w_x.t()), scale_x, shift_x) +
                 norm(torch.mm(hidden, w_h.t()), scale_h, shift_h))
        i, f, g, o = gates.chunk(4, 1)
        cell = norm(torch.sigmoid(f) * cell + torch.sigmoid(i) * torch.tanh(g), scale_c, shift_c)
        hidden = torch.sigmoid(o) * torch.tanh(cell)
        outputs.append(hidden)
    return torch.stack(outputs), hidden.unsqueeze(0), cell.unsqueeze(0)
)script";

// Scale and shift of a normalisation over the last dimension.
struct Norm {
  at::Tensor scale;
  at::Tensor shift;

  [[nodiscard]] at::Tensor operator()(const at::Tensor& x, double epsilon) const {
    return at::layer_norm(x, {x.size(-1)}, scale, shift, epsilon);
  }
};

struct Normalised {
  LstmNetwork network;  ///< one layer, whose biases are not used
  Norm of_input;        ///< [4 units]
  Norm of_hidden;       ///< [4 units]
  Norm of_cell;         ///< [units]

  // What gradients are computed of.
  [[nodiscard]] std::vector<at::Tensor> leaves() const {
    const auto& layer = network.layers[0];
    return {network.x,       layer.input_weight, layer.hidden_weight,
            of_input.scale,  of_input.shift,     of_hidden.scale,
            of_hidden.shift, of_cell.scale,      of_cell.shift};
  }
  // Of the script.
  [[nodiscard]] std::vector<c10::IValue> arguments() const {
    const auto all = leaves();
    std::vector<c10::IValue> out = {all[0], network.hidden, network.cell};
    out.insert(out.end(), all.begin() + 1, all.end());
    return out;
  }
};

// Scales about `scale` and shifts about zero, so that each counts.
Norm make_norm(std::int64_t width, double scale, std::uint64_t seed, at::Device device) {
  const auto about = [&](double middle, std::uint64_t own_seed) {
    return random_normal({width}, at::kFloat, device, own_seed)
        .mul_(0.1 * scale)
        .add_(middle)
        .requires_grad_(true);
  };
  return {about(scale, seed), about(0, seed + 1)};
}

// What comes back from the state counts little at first, as in Cooijmans et al., "Recurrent Batch
// Normalization", 2016. With a scale of 1, where nn.LayerNorm begins, such a network is chaotic: a
// rounding grows 5,000-fold over 100 steps.
Normalised make(const LstmShape& shape, at::Device device) {
  return {make_lstm(shape, device), make_norm(4 * shape.units, 1, kNormSeed, device),
          make_norm(4 * shape.units, 0.1, kNormSeed + 2, device),
          make_norm(shape.units, 0.5, kNormSeed + 4, device)};
}

Norm exact_norm(const Norm& norm) {
  const auto leaf = [](const at::Tensor& tensor) {
    return tensor.detach().to(at::kDouble).requires_grad_(true);
  };
  return {leaf(norm.scale), leaf(norm.shift)};
}

Normalised exact_network(const Normalised& network) {
  return {exact(network.network), exact_norm(network.of_input), exact_norm(network.of_hidden),
          exact_norm(network.of_cell)};
}

// Step by step, by LibTorch's operators: the reference.
LstmResult run(const Normalised& all, double epsilon) {
  const auto& layer = all.network.layers[0];
  std::vector<at::Tensor> outputs;
  at::Tensor hidden = all.network.hidden[0];
  at::Tensor cell = all.network.cell[0];
  for (const auto& step : all.network.x.unbind()) {
    const auto gates = (all.of_input(at::mm(step, layer.input_weight.t()), epsilon) +
                        all.of_hidden(at::mm(hidden, layer.hidden_weight.t()), epsilon))
                           .chunk(4, 1);
    cell = all.of_cell(at::sigmoid(gates[1]) * cell + at::sigmoid(gates[0]) * at::tanh(gates[2]),
                       epsilon);
    hidden = at::sigmoid(gates[3]) * at::tanh(cell);
    outputs.push_back(hidden);
  }
  return {at::stack(outputs), hidden.unsqueeze(0), cell.unsqueeze(0)};
}

// A step keeps two thirds of what is wrong in a state, where that of a plain LSTM keeps a half:
// three steps' errors are in it, not two. Backward the same once more. Gradients are divided by
// deviations on their way, so that their size is not known beforehand.
TrainingTolerances tolerances_of(const LstmShape& shape) {
  const Tolerance plain = state_tolerance(shape, false);
  const double forward = 1.5 * plain.absolute;
  TrainingTolerances out;
  out.outputs.assign(3, {forward, plain.relative});
  out.gradients.assign(9, {0, 1.5 * forward, 1.5 * forward});
  return out;
}

Prepared prepare_script(const LstmShape& shape, const LstmRunner& runner,
                        const PrepareContext& context) {
  return with_autograd([&] {
    const auto guard = guard_for(runner.script, context.device.type());
    const bool decomposed = runner.name == "jit_layernorm_decom";
    const Normalised network = make(shape, context.device);
    const auto script =
        compile_script(std::string(decomposed ? kDecomposed : kOperator) + kNetwork, "run");
    const auto forward = [guard, script, arguments = network.arguments()] {
      const auto result = script(arguments).toTuple();
      Outputs out;
      for (const auto& part : result->elements()) {
        out.push_back(part.toTensor());
      }
      return out;
    };
    const auto reference = [network, epsilon = decomposed ? 0 : kEpsilon](Phase) {
      const auto in_float64 = std::make_shared<Normalised>(exact_network(network));
      return Network{[=] { return outputs_of(run(*in_float64, epsilon)); }, in_float64->leaves()};
    };
    return train_lstm(runner, {forward, network.leaves()}, reference, tolerances_of(shape));
  });
}

// What the benchmark runs beside cuDNN's LSTM: three normalisations a step, of random values and of
// the last cell state. Gives its results and theirs.
Outputs run_beside(const Normalised& all, const at::Tensor& values, bool allow_cudnn) {
  const LstmResult result = run_operator(all.network, allow_cudnn);
  Outputs out = outputs_of(result);
  out.resize(6);
  for (std::int64_t step = 0; step < all.network.x.size(0); ++step) {
    out[3] = all.of_input(values, kEpsilon);
    out[4] = all.of_hidden(values, kEpsilon);
    out[5] = all.of_cell(result.cell, kEpsilon);
  }
  return out;
}

Prepared prepare_beside(const LstmShape& shape, const PrepareContext& context) {
  return with_autograd([&] {
    const Normalised network = make(shape, context.device);
    const at::Tensor values =
        random_normal({shape.batch, 4 * shape.units}, at::kFloat, context.device, kNormSeed + 6);
    const Network trained = {[=] { return run_beside(network, values, true); }, network.leaves()};
    const auto reference = [=](Phase) {
      const auto in_float64 = std::make_shared<Normalised>(exact_network(network));
      return Network{[=] { return run_beside(*in_float64, values.to(at::kDouble), false); }, {}};
    };
    const Tolerance state = state_tolerance(shape, true);
    // The cell state is brought from a deviation of about a quarter to one of a half.
    const Tolerance normalised = {2 * state.absolute, state.relative};
    const double six_roundoffs = 6 * unit_roundoff(at::kFloat);
    const Tolerance of_values = {six_roundoffs, six_roundoffs};
    Prepared out;
    out.phases[Phase::kForward] =
        forward_phase(trained, reference, {state, state, state, of_values, of_values, normalised},
                      detached(network.leaves()));
    return out;
  });
}

}  // namespace

std::vector<Case> lstm_layer_norm(at::DeviceType device) {
  std::vector<Case> out;
  const LstmShape shape = lstm_shape(device);
  for (const auto* name : {"jit_layernorm", "jit_layernorm_decom"}) {
    for (const auto& runner : in_all_settings(name)) {
      Case item = lstm_case(shape, runner, runner.name, device);
      for (auto& [phase, work] : item.phases) {
        work.launches *= 2;  // three normalisations a step, beside the gates
      }
      // Backward needs what goes into each of them; written out, most of it several times.
      item.footprint.count *= 2.5;
      item.prepare = [=](const PrepareContext& context) {
        return prepare_script(shape, runner, context);
      };
      out.push_back(std::move(item));
    }
  }
  if (device != at::DeviceType::CPU) {
    const LstmRunner runner = {"cudnn_layernorm"};
    Case item = lstm_case(shape, runner, "cudnn", device);
    item.phases.erase(Phase::kBackward);
    item.prepare = [=](const PrepareContext& context) { return prepare_beside(shape, context); };
    out.push_back(std::move(item));
  }
  return out;
}

}  // namespace perfgate::fastrnns
