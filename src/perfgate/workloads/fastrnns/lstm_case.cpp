#include "perfgate/workloads/fastrnns/lstm_case.h"

#include <cmath>
#include <utility>

#include "perfgate/workloads/prepared.h"

namespace perfgate::fastrnns {
namespace {

// Roughly how many kernels or operators a step of the sequence takes: LibTorch 2.11 on an H200,
// 2026-11-25. Fusing saves launches on a GPU; on a CPU what is fused takes as long.
double kernels_a_step(const LstmRunner& runner, Phase phase, at::DeviceType device) {
  const bool forward = phase == Phase::kForward;
  if (runner.by_cudnn()) {
    return forward ? 2 : 3;
  }
  const bool script_fuses = runner.script && runner.script->fuser != Fuser::kNone;
  const bool fused = device != at::DeviceType::CPU && (runner.name == "compiled" || script_fuses);
  if (fused || runner.name == "aten" || runner.name == "vl_aten") {
    return forward ? 5 : 13;
  }
  return forward ? 16 : 26;
}

std::string key_of(const LstmShape& shape, const LstmRunner& runner) {
  const std::string settings = runner.script ? "/" + text_of(*runner.script) : "";
  return "fastrnns/lstm/fp32/" + text_of(shape) + "/" + runner.name + settings;
}

double products(const LstmShape& shape) {
  double out = 0;
  for (std::int64_t layer = 0; layer < shape.layers; ++layer) {
    const auto inputs = layer == 0 ? shape.inputs : shape.units;
    out +=
        static_cast<double>(shape.steps * shape.batch * 4 * shape.units * (inputs + shape.units));
  }
  return out;
}

// Bytes of the weights and biases of all layers.
double weight_bytes(const LstmShape& shape) {
  return 4 * products(shape) / static_cast<double>(shape.steps * shape.batch) +
         4 * 8.0 * static_cast<double>(shape.layers * shape.units);
}

// Of a sequence of this width: of one step's values in fp32 bytes.
double sequence_bytes(const LstmShape& shape, std::int64_t width) {
  return 4.0 * static_cast<double>(shape.steps * shape.batch * width);
}

// The work of forward: a product of the input and of the state with the gates' weights a step.
Traffic forward_traffic(const LstmShape& shape) {
  return {{weight_bytes(shape) + sequence_bytes(shape, shape.inputs + shape.layers * shape.units)},
          {2 * products(shape)},
          Bound::kCompute};
}

// Backward multiplies twice: for the gradients of what came in, and for those of the weights. The
// state that a layer begins with needs none.
Traffic backward_traffic(const LstmShape& shape) {
  const double first_states =
      static_cast<double>(shape.layers * shape.batch * 4 * shape.units * shape.units);
  return {{2 * weight_bytes(shape) +
           2 * sequence_bytes(shape, shape.inputs + shape.layers * shape.units)},
          {4 * products(shape) - 2 * first_states},
          Bound::kCompute};
}

// Beside weights and input, their gradients and what cuDNN keeps of them: gates, states and
// temporaries of every step that backward needs. LibTorch's own kernels keep the most, 36 values a
// unit and step (H200, LibTorch 2.11, 2026-11-25).
Bytes footprint(const LstmShape& shape) {
  return {3 * weight_bytes(shape) + 3 * sequence_bytes(shape, shape.inputs) +
          sequence_bytes(shape, 36 * shape.layers * shape.units)};
}

// A gradient is a sum of `terms` products of a gate's gradient, below a quarter of what arrives
// (twice, from behind and from the next step), with what came in, of unit variance.
Tolerance gradient_tolerance(const LstmShape& shape, double terms, bool tf32) {
  const Tolerance state = state_tolerance(shape, tf32);
  constexpr double kGate = 0.5;
  return {kGate * std::sqrt(terms) *
              (state.absolute + 6 * unit_roundoff(at::kFloat) * std::sqrt(terms)),
          state.relative};
}

}  // namespace

std::vector<LstmRunner> in_all_settings(const std::string& name) {
  std::vector<LstmRunner> out;
  for (const auto& settings : all_settings()) {
    out.push_back({name, settings});
  }
  return out;
}

Case lstm_case(const LstmShape& shape, const LstmRunner& runner, const std::string& beside,
               at::DeviceType device) {
  Case out;
  out.key = key_of(shape, runner);
  if (runner.name != beside) {
    out.shown.compared_with = key_of(shape, {beside});
  }
  out.shown.parameters = {{"group", "lstm"},           {"name", runner.name},
                          {"seqLength", shape.steps},  {"numLayers", shape.layers},
                          {"inputSize", shape.inputs}, {"hiddenSize", shape.units},
                          {"miniBatch", shape.batch}};
  if (runner.script) {
    out.shown.parameters["fuser"] = std::string(name_of(runner.script->fuser));
    out.shown.parameters["executor"] = std::string(name_of(runner.script->executor));
  }
  out.phases.clear();
  for (const auto& [phase, traffic] : {std::pair(Phase::kForward, forward_traffic(shape)),
                                       std::pair(Phase::kBackward, backward_traffic(shape))}) {
    Work& work = out.phases[phase];
    work.traffic = traffic;
    work.executed = traffic;
    work.judges_memory = true;
    work.judged = Judged::kDeviceAndHost;  // most take the host longer to queue than the GPU to do
    work.launches =
        kernels_a_step(runner, phase, device) * static_cast<double>(shape.steps * shape.layers);
    if (device != at::DeviceType::CPU) {
      work.utilisation_of = NoCeiling{};
    }
  }
  out.footprint = footprint(shape);
  out.by_default = !runner.script || is_default(*runner.script);
  return out;
}

Prepared train_lstm(const LstmRunner& runner, const Network& network,
                    const std::function<Network(Phase)>& exact,
                    const TrainingTolerances& tolerances) {
  Prepared out = train(network, exact, tolerances, detached(network.leaves));
  if (runner.script) {
    run_until_settled(out);
  }
  return out;
}

Outputs outputs_of(const LstmResult& result) {
  Outputs out;
  out.push_back(result.output);
  out.push_back(result.hidden);
  out.push_back(result.cell);
  return out;
}

// fp32 sums of `inputs + units` products, or TF32's factors (cuDNN's), err by a roundoff times the
// root of their number, relative to unit variance. What enters the state dies out by a forget gate
// of about a half a step: twice one step's. Six standard deviations; states are below one.
Tolerance state_tolerance(const LstmShape& shape, bool tf32) {
  const double length = static_cast<double>(shape.inputs + shape.units);
  const double product = tf32 ? unit_roundoff(at::kHalf) * std::sqrt(2.0 / 3)
                              : unit_roundoff(at::kFloat) * std::sqrt(length);
  return {6 * 2 * static_cast<double>(shape.layers) * product, 4 * unit_roundoff(at::kFloat)};
}

Tolerance input_gradient_tolerance(const LstmShape& shape, bool tf32) {
  return gradient_tolerance(shape, static_cast<double>(4 * shape.units) / 3, tf32);
}

Tolerance weight_gradient_tolerance(const LstmShape& shape, bool tf32) {
  return gradient_tolerance(shape, static_cast<double>(shape.steps * shape.batch), tf32);
}

}  // namespace perfgate::fastrnns
