#include "perfgate/workloads/gpt_fast/gemv.h"

#include <ATen/ops/matmul.h>

#include "perfgate/workloads/compiled_package.h"
#include "perfgate/workloads/gpt_fast/shapes.h"
#include "perfgate/workloads/inputs.h"
#include "perfgate/workloads/prepared.h"

namespace perfgate::gpt_fast {
namespace {

Case gemv_case(at::ScalarType dtype, std::int64_t width, Implementation implementation) {
  const double elements = static_cast<double>(width) * static_cast<double>(width);
  const double cast_bytes = dtype == at::kBFloat16 ? 0 : 2 * elements;  // eager's bf16 copy of W
  const bool casts = implementation == Implementation::kEager;

  Case out = named_case("gemv", short_name(dtype), width, implementation);
  out.work().traffic = {{elements * size_of(dtype)}, {2 * elements}, Bound::kMemory};
  out.work().executed = out.work().traffic;
  out.work().executed.bytes.count += casts ? 2 * cast_bytes : 0;
  out.footprint = {elements * size_of(dtype) + cast_bytes};
  out.prepare = [=, package = out.package](const PrepareContext& context) {
    const auto weights = random_normal({width, width}, dtype, context.device, 1);
    const auto x = random_normal({width}, at::kBFloat16, context.device, 2);
    PreparedPhase prepared;
    if (implementation == Implementation::kCompiled) {
      prepared.run = [=, call = load_package(context, *package)] { return call({weights, x}); };
    } else {
      prepared.run = [=] { return at::matmul(weights.to(x.scalar_type()), x); };
    }
    prepared.reference = [=] { return matrix_vector_reference(weights, x); };
    prepared.tolerances = {dot_product_tolerance(at::kBFloat16, static_cast<double>(width))};
    prepared.operands = {weights, x};
    return prepared;
  };
  return out;
}

}  // namespace

std::vector<Case> gemv(at::DeviceType /*device*/) {
  std::vector<Case> out;
  for (const auto dtype : {at::kChar, at::kBFloat16}) {
    for (const auto width : kWidths) {
      for (const auto implementation : kImplementations) {
        out.push_back(gemv_case(dtype, width, implementation));
      }
    }
  }
  return out;
}

}  // namespace perfgate::gpt_fast
