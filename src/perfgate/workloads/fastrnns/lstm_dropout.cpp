#include "perfgate/workloads/fastrnns/lstm_dropout.h"

#include <ATen/Context.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/ne.h>

#include <memory>
#include <mutex>
#include <string>

#include "perfgate/workloads/fastrnns/lstm_case.h"
#include "perfgate/workloads/fastrnns/lstm_cudnn_dropout.h"
#include "perfgate/workloads/fastrnns/lstm_network.h"
#include "perfgate/workloads/fastrnns/script.h"
#include "perfgate/workloads/fastrnns/training.h"
#include "perfgate/workloads/prepared.h"

namespace perfgate::fastrnns {
namespace {

constexpr double kDropped = 0.4;  // the benchmark's
constexpr std::uint64_t kMaskSeed = 30;

// Behind kCellSource. Also gives what the second layer gets to see, from which can be read which
// values were dropped.
constexpr const char* kSource = R"script(
def run_layer(x: Tensor, h: Tensor, c: Tensor, w_x: Tensor, w_h: Tensor, b_x: Tensor,
              b_h: Tensor) -> Tuple[Tensor, Tensor, Tensor]:
    outputs: List[Tensor] = []
    for step in x.unbind(0):
        h, c = cell(step, h, c, w_x, w_h, b_x, b_h)
        outputs.append(h)
    return torch.stack(outputs), h, c

def run(x: Tensor, h: Tensor, c: Tensor, weights: List[Tensor],
        dropped: float) -> Tuple[Tensor, Tensor, Tensor, Tensor]:
    first, h_1, c_1 = run_layer(x, h[0], c[0], weights[0], weights[1], weights[2], weights[3])
    between = torch.dropout(first, dropped, True)
    output, h_2, c_2 = run_layer(between, h[1], c[1], weights[4], weights[5], weights[6], weights[7])
    return output, torch.stack([h_1, h_2]), torch.stack([c_1, c_2]), between
)script";

// What LibTorch draws next is the same in every run from here.
void seed(at::Device device) {
  at::Generator generator = at::globalContext().defaultGenerator(device);
  const std::lock_guard<std::mutex> lock(generator.mutex());
  generator.set_current_seed(kMaskSeed);
}

// The first layer alone, or the second.
LstmNetwork layer_of(const LstmNetwork& network, const at::Tensor& x, std::int64_t layer) {
  return {x,
          network.hidden.narrow(0, layer, 1),
          network.cell.narrow(0, layer, 1),
          {network.layers[static_cast<std::size_t>(layer)]}};
}

// Layer by layer, with the values dropped that `kept` (booleans) lacks: what kSource gives.
Outputs run_with_mask(const LstmNetwork& network, const at::Tensor& kept) {
  const LstmResult first = run_operator(layer_of(network, network.x, 0), false);
  const at::Tensor between = first.output * kept / (1 - kDropped);
  const LstmResult second = run_operator(layer_of(network, between, 1), false);
  Outputs out = outputs_of(
      {second.output, at::cat({first.hidden, second.hidden}), at::cat({first.cell, second.cell})});
  out.push_back(between);
  return out;
}

// `outputs`: how many a forward gives.
TrainingTolerances tolerances_of(const LstmShape& shape, std::size_t outputs, bool tf32) {
  TrainingTolerances out;
  out.outputs.assign(outputs, state_tolerance(shape, tf32));
  out.gradients.assign(9, weight_gradient_tolerance(shape, tf32));
  out.gradients[0] = input_gradient_tolerance(shape, tf32);
  return out;
}

Prepared prepare_cudnn(const LstmShape& shape, const LstmRunner& runner,
                       const PrepareContext& context) {
  return with_autograd([&] {
    const LstmNetwork network = make_lstm(shape, context.device);
    const auto dropping = std::make_shared<CudnnDropout>(network, kDropped, kMaskSeed);
    const auto reference = [=](Phase) {
      const at::Tensor kept = dropping->kept();
      const auto in_float64 = std::make_shared<LstmNetwork>(exact(network));
      return Network{[=] {
                       Outputs out = run_with_mask(*in_float64, kept);
                       out.pop_back();  // cuDNN does not give what its second layer sees
                       return out;
                     },
                     in_float64->leaves()};
    };
    return train_lstm(runner,
                      {[dropping] { return outputs_of(dropping->run()); }, network.leaves(),
                       [dropping] { dropping->rewind(); }},
                      reference, tolerances_of(shape, 3, true));
  });
}

Prepared prepare_scripted(const LstmShape& shape, const LstmRunner& runner,
                          const PrepareContext& context) {
  return with_autograd([&] {
    const auto guard = guard_for(runner.script, context.device.type());
    const LstmNetwork network = make_lstm(shape, context.device);
    const std::vector<c10::IValue> arguments = {network.x, network.hidden, network.cell,
                                                network.weights(), kDropped};
    const auto forward = [guard, arguments,
                          script = compile_script(std::string(kCellSource) + kSource, "run")] {
      const auto result = script(arguments).toTuple();
      Outputs out;
      for (const auto& part : result->elements()) {
        out.push_back(part.toTensor());
      }
      return out;
    };
    const auto before_forward = [device = context.device] { seed(device); };
    const auto reference = [=](Phase) {
      before_forward();
      const at::Tensor kept = forward()[3].detach().ne(0);  // drops what every run drops
      const auto in_float64 = std::make_shared<LstmNetwork>(exact(network));
      return Network{[=] { return run_with_mask(*in_float64, kept); }, in_float64->leaves()};
    };
    return train_lstm(runner, {forward, network.leaves(), before_forward}, reference,
                      tolerances_of(shape, 4, false));
  });
}

}  // namespace

std::vector<Case> lstm_dropout(at::DeviceType device) {
  std::vector<Case> out;
  LstmShape shape = lstm_shape(device);
  shape.layers = 2;
  std::vector<LstmRunner> runners = in_all_settings("jit_dropout");
  if (device != at::DeviceType::CPU) {
    runners.insert(runners.begin(), {"cudnn_dropout"});
  }
  for (const auto& runner : runners) {
    Case item = lstm_case(shape, runner, runners.front().name, device);
    item.prepare = [=](const PrepareContext& context) {
      return runner.script ? prepare_scripted(shape, runner, context)
                           : prepare_cudnn(shape, runner, context);
    };
    out.push_back(std::move(item));
  }
  return out;
}

}  // namespace perfgate::fastrnns
