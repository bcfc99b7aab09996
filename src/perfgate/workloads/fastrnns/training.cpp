#include "perfgate/workloads/fastrnns/training.h"

#include <ATen/ops/zeros_like.h>

#include <memory>

#include "perfgate/workloads/inputs.h"

namespace perfgate::fastrnns {
namespace {

constexpr std::uint64_t kGradientSeed = 90;

// What arrives from behind the network.
at::Tensor arriving_gradient(const at::Tensor& output) {
  return random_normal(output.sizes(), output.scalar_type(), output.device(), kGradientSeed);
}

void clear_gradients(const std::vector<at::Tensor>& leaves) {
  for (const auto& leaf : leaves) {
    auto& gradient = leaf.mutable_grad();
    if (gradient.defined()) {
      gradient.zero_();
    } else {
      gradient = at::zeros_like(leaf);
    }
  }
}

Outputs gradients_of(const std::vector<at::Tensor>& leaves) {
  Outputs out;
  for (const auto& leaf : leaves) {
    out.push_back(leaf.grad());
  }
  return out;
}

// The output of a forward, whose graph the next backward goes through once.
struct Step {
  Network network;
  at::Tensor output;
  at::Tensor gradient;

  void forward() {
    if (network.before_forward) {
      network.before_forward();
    }
    output = network.forward()[0];
    if (!gradient.defined()) {
      gradient = arriving_gradient(output);
    }
    clear_gradients(network.leaves);
  }
  Outputs backward() {
    output.backward(gradient);
    return gradients_of(network.leaves);
  }
};

}  // namespace

PreparedPhase forward_phase(const Network& network, const std::function<Network(Phase)>& exact,
                            const std::vector<Tolerance>& tolerances,
                            const std::vector<at::Tensor>& operands) {
  PreparedPhase out;
  out.run = [run = network.forward] { return with_autograd(run); };
  out.reference = [exact] {
    return with_autograd([&] { return exact(Phase::kForward).forward(); });
  };
  out.tolerances = tolerances;
  out.operands = operands;
  out.before_each = network.before_forward;
  return out;
}

Prepared train(const Network& network, const std::function<Network(Phase)>& exact,
               const TrainingTolerances& tolerances, const std::vector<at::Tensor>& operands) {
  Prepared out;
  out.phases[Phase::kForward] = forward_phase(network, exact, tolerances.outputs, operands);

  PreparedPhase& backward = out.phases[Phase::kBackward];
  const auto step = std::make_shared<Step>(Step{network, {}, {}});
  backward.before_each = [step] { with_autograd([&] { step->forward(); }); };
  backward.run = [step] { return with_autograd([&] { return step->backward(); }); };
  backward.reference = [step, exact] {
    return with_autograd([&] {
      Step in_float64{exact(Phase::kBackward), {}, {}};
      in_float64.gradient = step->gradient.to(at::kDouble);
      in_float64.forward();
      return in_float64.backward();
    });
  };
  backward.tolerances = tolerances.gradients;
  backward.operands = operands;
  return out;
}

void run_until_settled(const Prepared& prepared) {
  constexpr int kRuns = 4;
  for (int i = 0; i < kRuns; ++i) {
    for (const auto& [phase, part] : prepared.phases) {
      part.run_once();
    }
  }
}

std::vector<at::Tensor> detached(const std::vector<at::Tensor>& tensors) {
  std::vector<at::Tensor> out;
  for (const auto& tensor : tensors) {
    out.push_back(tensor.detach());
  }
  return out;
}

}  // namespace perfgate::fastrnns
