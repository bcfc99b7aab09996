#include "perfgate/workloads/gpt_fast/gather_gemv.h"

#include <ATen/ops/index.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/tensor.h>

#include <array>

#include "perfgate/workloads/compiled_package.h"
#include "perfgate/workloads/gpt_fast/shapes.h"
#include "perfgate/workloads/inputs.h"
#include "perfgate/workloads/prepared.h"

namespace perfgate::gpt_fast {
namespace {

constexpr std::int64_t kExperts = 8;
constexpr std::array<std::int64_t, 2> kChosen = {3, 5};

Case gather_gemv_case(at::ScalarType dtype, std::int64_t width, Implementation implementation) {
  const double expert = static_cast<double>(width) * static_cast<double>(width);
  const double gathered = kChosen.size() * expert;
  const double cast_bytes = dtype == at::kBFloat16 ? 0 : 2 * gathered;

  Case out = named_case("gather_gemv", short_name(dtype), width, implementation);
  out.work().traffic = {{gathered * size_of(dtype)}, {2 * gathered}, Bound::kMemory};
  out.work().executed = out.work().traffic;
  if (implementation == Implementation::kEager) {  // gathers, casts, multiplies: three passes
    out.work().executed.bytes.count += 2 * gathered * size_of(dtype) + 2 * cast_bytes;
  }
  out.footprint = {(kExperts * expert + gathered) * size_of(dtype) + cast_bytes};
  out.prepare = [=, package = out.package](const PrepareContext& context) {
    const auto weights = random_normal({kExperts, width, width}, dtype, context.device, 1);
    const auto x = random_normal({width}, at::kBFloat16, context.device, 2);
    const auto chosen =
        at::tensor(at::ArrayRef<std::int64_t>(kChosen.data(), kChosen.size())).to(context.device);
    PreparedPhase prepared;
    if (implementation == Implementation::kCompiled) {
      prepared.run = [=, call = load_package(context, *package)] {
        return call({weights, chosen, x});
      };
    } else {
      prepared.run = [=] {
        return at::matmul(at::index(weights, {chosen}).to(x.scalar_type()), x);
      };
    }
    prepared.reference = [=] {
      std::vector<at::Tensor> parts;
      for (const auto expert_index : kChosen) {
        parts.push_back(matrix_vector_reference(weights.select(0, expert_index), x));
      }
      return at::stack(parts);
    };
    prepared.tolerances = {dot_product_tolerance(at::kBFloat16, static_cast<double>(width))};
    for (const auto expert_index : kChosen) {
      prepared.operands.push_back(weights.select(0, expert_index));
    }
    prepared.operands.push_back(x);
    return prepared;
  };
  return out;
}

}  // namespace

std::vector<Case> gather_gemv(at::DeviceType /*device*/) {
  std::vector<Case> out;
  for (const auto dtype : {at::kChar, at::kBFloat16}) {
    for (const auto width : kWidths) {
      for (const auto implementation : kImplementations) {
        out.push_back(gather_gemv_case(dtype, width, implementation));
      }
    }
  }
  return out;
}

}  // namespace perfgate::gpt_fast
