#include "perfgate/workloads/fastrnns/resnet.h"

#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <string>

#include "perfgate/workloads/compiled_package.h"
#include "perfgate/workloads/fastrnns/resnet_network.h"
#include "perfgate/workloads/fastrnns/resnet_trace.h"
#include "perfgate/workloads/fastrnns/training.h"
#include "perfgate/workloads/prepared.h"

namespace perfgate::fastrnns {
namespace {

std::string key_of(const ResnetRun& run) {
  return "fastrnns/" + run.shape.name() + "/" + std::string(name_of(run.precision)) + "/" +
         text_of(run.shape) + (run.channels_last ? "/channels_last" : "") +
         (run.traced     ? "/traced/" + text_of(*run.traced)
          : run.compiled ? "/compiled"
                         : "/eager");
}

double convolutions(const ResnetShape& shape) {
  return static_cast<double>(shape.convolutions().size());
}

double bytes_of(Precision precision) {
  return size_of(precision == Precision::kBf16Autocast ? at::kBFloat16 : at::kFloat);
}

// Forward must read the weights and keep what backward needs: what each convolution gives, and
// what each normalisation gives. What runs reads and writes it some eight times (statistics,
// normalisation, rectifier, the next convolution).
Work forward_work(const ResnetRun& run) {
  const double size = bytes_of(run.precision);
  const double weights = 4.0 * static_cast<double>(parameter_count(run.shape));
  const double outputs = size * convolution_outputs(run.shape);
  Work out;
  out.traffic = {{weights + 2 * outputs}, {2 * products(run.shape).all}, Bound::kCompute};
  out.executed = {{weights + 8 * outputs}, {2 * products(run.shape).all}, Bound::kCompute};
  return out;
}

// Backward multiplies twice, but nobody needs the picture's gradient; it reads what forward kept.
Work backward_work(const ResnetRun& run) {
  const double size = bytes_of(run.precision);
  const double weights = 4.0 * static_cast<double>(parameter_count(run.shape));
  const double outputs = size * convolution_outputs(run.shape);
  const Products done = products(run.shape);
  const Operations operations = {4 * done.all - 2 * done.stem};
  Work out;
  out.traffic = {{2 * weights + 2 * outputs}, operations, Bound::kCompute};
  out.executed = {{2 * weights + 14 * outputs}, operations, Bound::kCompute};
  return out;
}

// What forward keeps and as much again for gradients and cuDNN's workspaces; weights, gradients,
// and in bf16 their casts.
Bytes footprint(const ResnetRun& run) {
  return {5 * bytes_of(run.precision) * convolution_outputs(run.shape) +
          16.0 * static_cast<double>(parameter_count(run.shape))};
}

// Relative error of a convolution's products, as a standard deviation: fp32 sums err by a roundoff
// times the root of their length, TF32 and bf16 round what is multiplied or given, evenly within a
// roundoff.
double rounding_of(const ResnetRun& run, bool on_gpu) {
  if (run.precision == Precision::kBf16Autocast) {
    return unit_roundoff(at::kBFloat16) / std::sqrt(3.0);
  }
  if (on_gpu) {
    return unit_roundoff(at::kHalf) * std::sqrt(2.0 / 3);  // both factors
  }
  double longest = 0;
  for (const auto& layer : run.shape.convolutions()) {
    longest = std::max(longest, static_cast<double>(layer.inputs * layer.size * layer.size));
  }
  return unit_roundoff(at::kFloat) * std::sqrt(longest);
}

// A convolution's weights, what it gives, its normalisation and its sum round once each, forward
// and backward, independently of each other. The largest of some million errors lies five
// deviations out, and channels differ by a factor of two from what is typical.
Tolerance tolerance_of(const ResnetRun& run, bool on_gpu) {
  const double roundings = 2 * 4 * convolutions(run.shape);
  const double out = 2 * 5 * std::sqrt(roundings) * rounding_of(run, on_gpu);
  return {0, out, out};
}

at::Tensor in_precision(const ResnetRun& run, at::DeviceType device,
                        const std::function<at::Tensor()>& forward) {
  if (run.precision != Precision::kBf16Autocast) {
    return forward();
  }
  const AutocastGuard guard(device);
  return forward();
}

// By one thread, as in a worker: more of them may add in another order, and go another way.
Branches branches_of(const ResnetRun& run, const ResnetNetwork& network) {
  const int threads = at::get_num_threads();
  at::set_num_threads(1);
  Branches out;
  {
    const at::NoGradGuard no_graph;
    in_precision(run, network.x.device().type(), [&] { return run_resnet_noting(network, out); });
  }
  at::set_num_threads(threads);
  return out;
}

Network network_in_float64(const ResnetRun& run, const ResnetNetwork& network, Phase phase) {
  const auto in_float64 = std::make_shared<ResnetNetwork>(exact(network));
  if (phase == Phase::kForward) {
    return {[in_float64] { return Outputs(run_resnet(*in_float64)); }, in_float64->parameters()};
  }
  const auto branches = std::make_shared<Branches>(branches_of(run, network));
  return {[in_float64, branches] { return Outputs(run_resnet_along(*in_float64, *branches)); },
          in_float64->parameters()};
}

// Switches of the process stay set for as long as the case is measured: scripts read theirs
// whenever something is compiled.
std::function<at::Tensor()> function_of(const ResnetRun& run, const ResnetNetwork& network) {
  if (const auto guard = guard_for(run.traced, network.x.device().type())) {
    return [guard, forward = traced(network)] { return forward(); };
  }
  const auto guard = std::make_shared<PrecisionGuard>(run.precision);
  return [guard, network] { return run_resnet(network); };
}

Prepared prepare(const ResnetRun& run, const PrepareContext& context) {
  const at::DeviceType device = context.device.type();
  const bool on_gpu = device != at::DeviceType::CPU;
  return with_autograd([&] {
    ResnetNetwork network = make_resnet(run.shape, context.device);
    if (run.channels_last) {
      network = in_channels_last(network);
    }
    const auto forward = function_of(run, network);
    const auto parameters = network.parameters();
    TrainingTolerances tolerances;
    tolerances.outputs = {tolerance_of(run, on_gpu)};
    tolerances.gradients.assign(parameters.size(), tolerance_of(run, on_gpu));
    auto operands = detached(parameters);
    operands.push_back(network.x);
    Prepared out = train(
        {[=] { return Outputs(in_precision(run, device, forward)); }, parameters},
        [run, network](Phase phase) { return network_in_float64(run, network, phase); }, tolerances,
        operands);
    if (run.traced) {
      run_until_settled(out);
    }
    return out;
  });
}

// A package has no backward, and needs no autograd.
Prepared prepare_compiled(const ResnetRun& run, const Package& package,
                          const PrepareContext& context) {
  const auto call = load_package(context, package);
  return with_autograd([&] {
    const ResnetNetwork network = make_resnet(run.shape, context.device);
    const auto inputs = detached(network.tensors());
    PreparedPhase forward;
    forward.run = [call, inputs] { return Outputs(call(inputs)); };
    forward.reference = [run, network] {
      return with_autograd(
          [&] { return network_in_float64(run, network, Phase::kForward).forward(); });
    };
    forward.tolerances = {tolerance_of(run, context.device.type() != at::DeviceType::CPU)};
    forward.operands = inputs;
    Prepared out;
    out.phases[Phase::kForward] = forward;
    return out;
  });
}

// Shown beside: the eager one of the same kind, and of eager ones the plain one.
std::string compared_with(const ResnetRun& run) {
  const ResnetRun other =
      run.traced ? ResnetRun{run.shape, run.precision, run.channels_last} : ResnetRun{run.shape};
  const std::string key = key_of(other);
  return key == key_of(run) ? "" : key;
}

// The benchmark's own, and behind it what it does not have.
std::string name_in_table(const ResnetRun& run) {
  return run.shape.name() + (run.traced ? "_jit" : "") + (run.compiled ? "_compiled" : "") +
         (run.precision == Precision::kFp32 ? "" : "_" + std::string(name_of(run.precision))) +
         (run.channels_last ? "_channels_last" : "");
}

std::vector<ResnetRun> runs(at::DeviceType device) {
  const bool cpu = device == at::DeviceType::CPU;
  const std::int64_t batch = cpu ? 2 : 32;
  const std::int64_t side = cpu ? 64 : 224;
  std::vector<ResnetRun> out;
  for (const Depth depth : {Depth::k18, Depth::k50}) {
    if (cpu && depth == Depth::k50) {
      continue;  // takes seconds a sample
    }
    const ResnetShape shape = resnet_shape(depth, batch, side);
    out.push_back({shape});
    out.push_back({shape, Precision::kFp32, false, std::nullopt, true});
    for (const auto& settings : all_settings()) {
      out.push_back({shape, Precision::kFp32, false, settings});
    }
    if (depth == Depth::k50) {
      out.push_back({shape, Precision::kTf32});
      out.push_back({shape, Precision::kFp32, true});
      out.push_back({shape, Precision::kBf16Autocast});
      out.push_back({shape, Precision::kBf16Autocast, true});
    }
  }
  return out;
}

}  // namespace

Case resnet_case(const ResnetRun& run, at::DeviceType device) {
  Case out;
  out.key = key_of(run);
  out.shown.compared_with = compared_with(run);
  out.shown.parameters = {
      {"group", "resnet"}, {"name", name_in_table(run)}, {"miniBatch", run.shape.batch}};
  if (run.traced) {
    out.shown.parameters["fuser"] = std::string(name_of(run.traced->fuser));
    out.shown.parameters["executor"] = std::string(name_of(run.traced->executor));
  }
  out.phases = {{Phase::kForward, forward_work(run)}, {Phase::kBackward, backward_work(run)}};
  for (auto& [phase, work] : out.phases) {
    work.judges_memory = true;
    work.judged = Judged::kDeviceAndHost;  // the idle time between its kernels varies
    if (device != at::DeviceType::CPU) {
      // Convolution, normalisation, rectifier; backward two convolutions and what lays them out.
      work.launches = (phase == Phase::kForward ? 3 : 8) * convolutions(run.shape);
      work.utilisation_of =
          run.precision == Precision::kBf16Autocast ? product_ceiling(at::kBFloat16) : kTf32Ceiling;
    }
  }
  out.footprint = footprint(run);
  out.by_default = !run.traced || is_default(*run.traced);
  if (run.compiled) {
    out.phases.erase(Phase::kBackward);
    out.package = Package{package_name(out.key),
                          "fastrnns/resnet.py",
                          {{"depth", static_cast<std::int64_t>(run.shape.depth)},
                           {"batch", run.shape.batch},
                           {"side", run.shape.side}}};
  }
  out.prepare = [run, package = out.package](const PrepareContext& context) {
    return package ? prepare_compiled(run, *package, context) : prepare(run, context);
  };
  return out;
}

std::vector<Case> resnet(at::DeviceType device) {
  std::vector<Case> out;
  for (const auto& run : runs(device)) {
    out.push_back(resnet_case(run, device));
  }
  return out;
}

}  // namespace perfgate::fastrnns
