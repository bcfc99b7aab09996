#pragma once
// Forward and backward as phases of one case. Forward runs with autograd on. Backward runs through
// a graph that a forward makes anew before each sample, outside of what is timed, and adds to
// gradients that have been set to zero there too, as a training step does.

#include <ATen/core/Tensor.h>
#include <c10/core/InferenceMode.h>

#include <functional>
#include <vector>

#include "perfgate/model/metric.h"
#include "perfgate/workloads/prepared.h"

namespace perfgate::fastrnns {

/// What is trained. The gradient is given of the first output, as the benchmark does.
struct Network {
  std::function<Outputs()> forward;  ///< called with autograd on
  /// What gradients are computed of: leaves that require them, made with autograd on.
  std::vector<at::Tensor> leaves;
  /// Called before each forward, outside of what is timed; may be unset.
  std::function<void()> before_forward = {};
};

/// Of what is trained: how far outputs and gradients may be off, one entry each.
struct TrainingTolerances {
  std::vector<Tolerance> outputs;
  std::vector<Tolerance> gradients;  ///< in the order of the leaves
};

/// Phase forward alone; as below.
PreparedPhase forward_phase(const Network& network, const std::function<Network(Phase)>& exact,
                            const std::vector<Tolerance>& tolerances,
                            const std::vector<at::Tensor>& operands);

/// Phases forward and backward of `network`. `exact`: makes the same network in float64, whose
/// outputs or gradients are the references of that phase. `operands`: what a cold run fetches.
Prepared train(const Network& network, const std::function<Network(Phase)>& exact,
               const TrainingTolerances& tolerances, const std::vector<at::Tensor>& operands);

/// Runs forward and backward so often that LibTorch's profiling executor, where a script runs by
/// it, has watched, compiled and been seen to be done: it watches a run of forward and one with
/// backward, and replaces what it has compiled in the next.
void run_until_settled(const Prepared& prepared);

/// Without their history, as the operands of a phase.
std::vector<at::Tensor> detached(const std::vector<at::Tensor>& tensors);

/// Calls with autograd on: a worker runs in inference mode.
template <class Function>
auto with_autograd(Function&& function) {
  const c10::InferenceMode off(false);
  return function();
}

}  // namespace perfgate::fastrnns
