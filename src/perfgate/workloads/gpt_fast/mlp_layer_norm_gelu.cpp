#include "perfgate/workloads/gpt_fast/mlp_layer_norm_gelu.h"

#include <ATen/ops/layer_norm.h>
#include <ATen/ops/linear.h>

#include <cmath>

#include "perfgate/workloads/compiled_package.h"
#include "perfgate/workloads/gpt_fast/shapes.h"
#include "perfgate/workloads/inputs.h"
#include "perfgate/workloads/prepared.h"

namespace perfgate::gpt_fast {
namespace {

constexpr std::int64_t kHidden = 14336;
constexpr double kEpsilon = 1e-5;

// Each of the four layers rounds to bf16, an error of u/sqrt(3) root mean square of values of
// order one; linear layers average it, layer norms scale it back to order one. Four independent
// ones add up to 2u/sqrt(3); six standard deviations cover the worst of 16384 outputs, times the
// last layer's weight, which stays below 5.
Tolerance mlp_tolerance() {
  const double u = unit_roundoff(at::kBFloat16);
  return {6 * 2 * u / std::sqrt(3.0) * 5 / 3, u};
}

std::vector<at::Tensor> make_inputs(std::int64_t width, at::Device device) {
  const auto normal = [device](at::IntArrayRef sizes, std::uint64_t seed, double scale) {
    return random_normal(sizes, at::kBFloat16, device, seed).mul_(scale);
  };
  const auto linear_scale = [](std::int64_t inputs) {
    return 1 / std::sqrt(static_cast<double>(inputs));
  };
  return {normal({width}, 1, 1),   normal({kHidden, width}, 2, linear_scale(width)),
          normal({kHidden}, 3, 1), normal({kHidden}, 4, 1),
          normal({kHidden}, 5, 1), normal({width, kHidden}, 6, linear_scale(kHidden)),
          normal({width}, 7, 1),   normal({width}, 8, 1),
          normal({width}, 9, 1)};
}

at::Tensor mlp(const std::vector<at::Tensor>& t) {
  const auto hidden = at::layer_norm(at::linear(t[0], t[1], t[2]), {kHidden}, t[3], t[4], kEpsilon);
  return at::layer_norm(at::linear(hidden, t[5], t[6]), t[6].sizes(), t[7], t[8], kEpsilon);
}

at::Tensor mlp_reference(const std::vector<at::Tensor>& t) {
  const auto hidden = at::layer_norm(matrix_vector_reference(t[1], t[0]).add(exact(t[2])),
                                     {kHidden}, exact(t[3]), exact(t[4]), kEpsilon);
  return at::layer_norm(matrix_vector_reference(t[5], hidden).add(exact(t[6])), t[6].sizes(),
                        exact(t[7]), exact(t[8]), kEpsilon);
}

Case mlp_case(std::int64_t width, Implementation implementation) {
  const double weights = 2.0 * static_cast<double>(width) * kHidden;

  Case out = named_case("mlp_layer_norm_gelu", "bf16", width, implementation);
  out.work().traffic = {{weights * size_of(at::kBFloat16)}, {2 * weights}, Bound::kMemory};
  out.work().executed = out.work().traffic;
  out.footprint = {weights * size_of(at::kBFloat16)};
  out.prepare = [=, package = out.package](const PrepareContext& context) {
    const auto inputs = make_inputs(width, context.device);
    PreparedPhase prepared;
    if (implementation == Implementation::kCompiled) {
      prepared.run = [=, call = load_package(context, *package)] { return call(inputs); };
    } else {
      prepared.run = [=] { return mlp(inputs); };
    }
    prepared.reference = [=] { return mlp_reference(inputs); };
    prepared.tolerances = {mlp_tolerance()};
    prepared.operands = inputs;
    return prepared;
  };
  return out;
}

}  // namespace

std::vector<Case> mlp_layer_norm_gelu(at::DeviceType /*device*/) {
  std::vector<Case> out;
  for (const auto width : kWidths) {
    for (const auto implementation : kImplementations) {
      out.push_back(mlp_case(width, implementation));
    }
  }
  return out;
}

}  // namespace perfgate::gpt_fast
