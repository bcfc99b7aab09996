#include "perfgate/workloads/fastrnns/lstm_variable.h"

#include <functional>
#include <memory>
#include <numeric>
#include <string>

#include "perfgate/workloads/fastrnns/lstm_case.h"
#include "perfgate/workloads/fastrnns/lstm_variable_network.h"
#include "perfgate/workloads/fastrnns/script.h"
#include "perfgate/workloads/fastrnns/training.h"
#include "perfgate/workloads/prepared.h"

namespace perfgate::fastrnns {
namespace {

// Behind kCellSource. Shapes as in VariableLstm.
constexpr const char* kSource = R"script(
def run(sequences: List[Tensor], h: Tensor, c: Tensor, w_x: Tensor, w_h: Tensor, b_x: Tensor,
        b_h: Tensor) -> Tuple[Tensor, Tensor, Tensor]:
    outputs: List[Tensor] = []
    last_h: List[Tensor] = []
    last_c: List[Tensor] = []
    for i in range(len(sequences)):
        states: List[Tensor] = []
        h_i, c_i = h[:, i], c[:, i]
        for step in sequences[i].unbind(0):
            h_i, c_i = cell(step.unsqueeze(0), h_i, c_i, w_x, w_h, b_x, b_h)
            states.append(h_i)
        outputs.append(torch.cat(states))
        last_h.append(h_i)
        last_c.append(c_i)
    return (torch.pad_sequence(outputs), torch.cat(last_h).unsqueeze(0),
            torch.cat(last_c).unsqueeze(0))
)script";

std::function<LstmResult()> scripted(const VariableLstm& network) {
  const LstmLayer& layer = network.layer;
  const std::vector<c10::IValue> arguments = {
      network.sequences,   network.hidden,   network.cell,     layer.input_weight,
      layer.hidden_weight, layer.input_bias, layer.hidden_bias};
  return [arguments, run = compile_script(std::string(kCellSource) + kSource, "run")] {
    const auto result = run(arguments).toTuple();
    const auto& parts = result->elements();
    return LstmResult{parts[0].toTensor(), parts[1].toTensor(), parts[2].toTensor()};
  };
}

std::function<LstmResult()> function_of(const LstmRunner& runner, const VariableLstm& network) {
  if (const auto guard = guard_for(runner.script, network.hidden.device().type())) {
    const auto run = scripted(network);
    return [guard, run] { return run(); };
  }
  if (runner.name == "vl_py") {
    return [network] { return run_each_in_cells(network); };
  }
  return [network, cudnn = runner.by_cudnn()] { return run_packed(network, cudnn); };
}

TrainingTolerances tolerances_of(const LstmShape& shape, bool tf32) {
  TrainingTolerances out;
  out.outputs.assign(3, state_tolerance(shape, tf32));
  out.gradients.assign(static_cast<std::size_t>(shape.batch),
                       input_gradient_tolerance(shape, tf32));
  out.gradients.insert(out.gradients.end(), 4, weight_gradient_tolerance(shape, tf32));
  return out;
}

Prepared prepare(const LstmShape& shape, const LstmRunner& runner, const PrepareContext& context) {
  return with_autograd([&] {
    const VariableLstm network = make_variable(shape, context.device);
    const auto run = function_of(runner, network);
    const auto reference = [network](Phase) {
      const auto in_float64 = std::make_shared<VariableLstm>(exact(network));
      return Network{[in_float64] { return outputs_of(run_each(*in_float64)); },
                     in_float64->leaves()};
    };
    return train_lstm(runner, {[run] { return outputs_of(run()); }, network.leaves()}, reference,
                      tolerances_of(shape, runner.by_cudnn()));
  });
}

// The work of a sequence of each length in place of as many of all steps, a step of one sequence
// after the other where each runs by itself.
void scale_work(const LstmShape& shape, bool each_by_itself, Case& item) {
  const auto lengths = lengths_of(shape);
  const auto steps = static_cast<double>(std::accumulate(lengths.begin(), lengths.end(), 0LL));
  const double share = steps / static_cast<double>(shape.steps * shape.batch);
  for (auto& [phase, work] : item.phases) {
    work.traffic.operations.count *= share;
    work.executed = work.traffic;
    work.launches *= each_by_itself ? steps / static_cast<double>(shape.steps) : 1;
  }
}

}  // namespace

std::vector<Case> lstm_variable(at::DeviceType device) {
  const bool cpu = device == at::DeviceType::CPU;
  const LstmShape shape = lstm_shape(device);
  const std::string first = cpu ? "vl_aten" : "vl_cudnn";
  std::vector<LstmRunner> runners = {{first}, {"vl_py"}};
  const auto scripts = in_all_settings("vl_jit");
  runners.insert(runners.end(), scripts.begin(), scripts.end());
  std::vector<Case> out;
  for (const auto& runner : runners) {
    Case item = lstm_case(shape, runner, first, device);
    const bool packed = runner.name == first;
    scale_work(shape, !packed, item);
    item.shown.parameters["group"] = "vl_lstm";
    item.by_default = item.by_default && (cpu || packed);
    item.prepare = [=](const PrepareContext& context) { return prepare(shape, runner, context); };
    out.push_back(std::move(item));
  }
  return out;
}

}  // namespace perfgate::fastrnns
