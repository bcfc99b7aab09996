#include "perfgate/workloads/fastrnns/lstm.h"

#include <functional>
#include <memory>
#include <string>

#include "perfgate/workloads/compiled_package.h"
#include "perfgate/workloads/fastrnns/lstm_case.h"
#include "perfgate/workloads/fastrnns/lstm_network.h"
#include "perfgate/workloads/fastrnns/lstm_script.h"
#include "perfgate/workloads/fastrnns/training.h"
#include "perfgate/workloads/prepared.h"

namespace perfgate::fastrnns {
namespace {

std::vector<LstmRunner> runners(at::DeviceType device) {
  std::vector<LstmRunner> out;
  if (device != at::DeviceType::CPU) {
    out.push_back({"cudnn"});
  }
  out.push_back({"aten"});
  out.push_back({"py"});
  for (const auto& name : scripted_runners()) {
    const auto settings = in_all_settings(name);
    out.insert(out.end(), settings.begin(), settings.end());
  }
  return out;
}

std::function<LstmResult()> function_of(const LstmRunner& runner, const LstmNetwork& network) {
  if (const auto guard = guard_for(runner.script, network.x.device().type())) {
    return [guard, run = scripted(runner.name, network)] { return run(); };
  }
  if (runner.name == "py") {
    return [network] { return run_loop(network); };
  }
  return [network, cudnn = runner.by_cudnn()] { return run_operator(network, cudnn); };
}

TrainingTolerances tolerances_of(const LstmShape& shape, bool tf32) {
  TrainingTolerances out;
  out.outputs.assign(3, state_tolerance(shape, tf32));
  const auto weights = static_cast<std::size_t>(4 * shape.layers);
  out.gradients.assign(1 + weights, weight_gradient_tolerance(shape, tf32));
  out.gradients[0] = input_gradient_tolerance(shape, tf32);
  return out;
}

Prepared prepare(const LstmShape& shape, const LstmRunner& runner, const PrepareContext& context) {
  return with_autograd([&] {
    const LstmNetwork network = make_lstm(shape, context.device);
    const auto run = function_of(runner, network);
    const auto reference = [network](Phase) {
      const auto in_float64 = std::make_shared<LstmNetwork>(exact(network));
      return Network{[in_float64] { return outputs_of(run_operator(*in_float64, false)); },
                     in_float64->leaves()};
    };
    return train_lstm(runner, {[run] { return outputs_of(run()); }, network.leaves()}, reference,
                      tolerances_of(shape, runner.by_cudnn()));
  });
}

Prepared prepare_compiled(const LstmShape& shape, const Package& package,
                          const PrepareContext& context) {
  const auto call = load_package_of_outputs(context, package);
  return with_autograd([&] {
    const LstmNetwork network = make_lstm(shape, context.device);
    auto inputs = detached(network.leaves());
    inputs.insert(inputs.begin() + 1, {network.hidden, network.cell});
    PreparedPhase forward;
    forward.run = [call, inputs] {
      const auto results = call(inputs);
      return Outputs(results.begin(), results.end());
    };
    forward.reference = [network] {
      return with_autograd([&] { return outputs_of(run_operator(exact(network), false)); });
    };
    forward.tolerances.assign(3, state_tolerance(shape, false));
    forward.operands = inputs;
    Prepared out;
    out.phases[Phase::kForward] = forward;
    return out;
  });
}

// Forward alone, without autograd: a package has no backward.
Case compiled_case(const LstmShape& shape, const std::string& beside, at::DeviceType device) {
  Case out = lstm_case(shape, {"compiled"}, beside, device);
  out.phases.erase(Phase::kBackward);
  out.package = Package{package_name(out.key),
                        "fastrnns/lstm.py",
                        {{"steps", shape.steps},
                         {"batch", shape.batch},
                         {"inputs", shape.inputs},
                         {"units", shape.units}}};
  out.prepare = [=, package = out.package](const PrepareContext& context) {
    return prepare_compiled(shape, *package, context);
  };
  return out;
}

}  // namespace

std::vector<Case> lstm(at::DeviceType device) {
  std::vector<Case> out;
  const LstmShape shape = lstm_shape(device);
  const std::string first = device == at::DeviceType::CPU ? "aten" : "cudnn";
  for (const auto& runner : runners(device)) {
    Case item = lstm_case(shape, runner, first, device);
    item.prepare = [=](const PrepareContext& context) { return prepare(shape, runner, context); };
    out.push_back(std::move(item));
  }
  out.push_back(compiled_case(shape, first, device));
  return out;
}

}  // namespace perfgate::fastrnns
