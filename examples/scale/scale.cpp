// Gates one kernel: scale, which stands for yours.

#include <ATen/ops/empty_like.h>

#include "perfgate/workloads/workload.h"

using namespace perfgate;

static void scale(const float* x, float* y, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) y[i] = 2 * x[i] + 1;
}

static std::vector<Case> cases(at::DeviceType device) {
  if (device != at::kCPU) return {};  // a GPU kernel returns {} on at::kCPU instead
  constexpr std::int64_t n = 1 << 22;
  Case item;
  item.key = "demo/scale/fp32/n4194304/eager";
  item.work().traffic = {{8.0 * n}, {2.0 * n}, Bound::kMemory};  // bytes, operations, bound
  item.work().executed = item.work().traffic;
  item.footprint = {8.0 * n};
  item.prepare = [=](const PrepareContext& context) {
    const auto x = random_normal({n}, at::kFloat, context.device, 1);
    const auto y = at::empty_like(x);
    PreparedPhase whole;
    whole.run = [=] {
      scale(x.const_data_ptr<float>(), y.mutable_data_ptr<float>(), n);
      return y;
    };
    whole.reference = [=] { return 2 * exact(x) + 1; };
    whole.tolerances = {{2 * unit_roundoff(at::kFloat), 2 * unit_roundoff(at::kFloat)}};
    whole.operands = {x};
    return whole;
  };
  return {item};
}
static const Tables tables = {cases};
