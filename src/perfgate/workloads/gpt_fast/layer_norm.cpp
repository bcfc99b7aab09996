#include "perfgate/workloads/gpt_fast/layer_norm.h"

#include <ATen/ops/layer_norm.h>

#include <cmath>

#include "perfgate/workloads/compiled_package.h"
#include "perfgate/workloads/gpt_fast/shapes.h"
#include "perfgate/workloads/inputs.h"
#include "perfgate/workloads/prepared.h"

namespace perfgate::gpt_fast {
namespace {

constexpr std::int64_t kRows = 4096;
constexpr double kEpsilon = 1e-5;

// Statistics over D values in fp32 leave errors of about u * sqrt(D) on values of order one, also
// where the output itself is near zero; then one rounding to bf16. Four standard deviations of
// weight and of bias bound their part of the value.
Tolerance layer_norm_tolerance(double width) {
  return {8 * unit_roundoff(at::kFloat) * std::sqrt(width), unit_roundoff(at::kBFloat16)};
}

Case layer_norm_case(at::ScalarType weight_dtype, std::int64_t width,
                     Implementation implementation) {
  const double elements = static_cast<double>(kRows) * static_cast<double>(width);

  Case out = named_case("layer_norm", weight_dtype == at::kFloat ? "fp32w" : "bf16", width,
                        implementation);
  out.work().traffic = {{2 * elements * size_of(at::kBFloat16)}, {8 * elements}, Bound::kMemory};
  out.work().executed = out.work().traffic;
  out.work().utilisation_of = kDramCopyCeiling;
  out.footprint = {2 * elements * size_of(at::kBFloat16)};
  out.may_refuse = weight_dtype == at::kFloat;
  out.prepare = [=, package = out.package](const PrepareContext& context) {
    const auto x = random_normal({kRows, width}, at::kBFloat16, context.device, 1);
    const auto weight = random_normal({width}, weight_dtype, context.device, 2);
    const auto bias = random_normal({width}, weight_dtype, context.device, 3);
    PreparedPhase prepared;
    if (implementation == Implementation::kCompiled) {
      prepared.run = [=, call = load_package(context, *package)] {
        return call({x, weight, bias});
      };
    } else {
      prepared.run = [=] { return at::layer_norm(x, {width}, weight, bias, kEpsilon); };
    }
    prepared.reference = [=] {
      return at::layer_norm(exact(x), {width}, exact(weight), exact(bias), kEpsilon);
    };
    prepared.tolerances = {layer_norm_tolerance(static_cast<double>(width))};
    prepared.operands = {x, weight, bias};
    return prepared;
  };
  return out;
}

}  // namespace

std::vector<Case> layer_norm(at::DeviceType /*device*/) {
  std::vector<Case> out;
  for (const auto weight_dtype : {at::kBFloat16, at::kFloat}) {
    for (const auto width : kWidths) {
      for (const auto implementation : kImplementations) {
        out.push_back(layer_norm_case(weight_dtype, width, implementation));
      }
    }
  }
  return out;
}

}  // namespace perfgate::gpt_fast
