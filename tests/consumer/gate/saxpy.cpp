// A kernel that knows no tensor: LibTorch only lends it memory and a stream.

#include "operators/saxpy.h"

#include <ATen/DeviceAccelerator.h>
#include <ATen/ops/empty_like.h>

#include "perfgate/workloads/workload.h"

namespace {

using namespace perfgate;

std::vector<Case> saxpy(at::DeviceType device) {
  if (device == at::kCPU) {
    return {};
  }
  constexpr std::int64_t kCount = 1 << 26;
  constexpr double kBytes = 4.0 * kCount;
  constexpr float kFactor = 1.5;
  Case item;
  item.key = "saxpy/plain/fp32/n67108864/cuda";
  item.work().traffic = {{3 * kBytes}, {2.0 * kCount}, Bound::kMemory};
  item.work().executed = item.work().traffic;
  item.footprint = {3 * kBytes};
  item.prepare = [](const PrepareContext& context) {
    const auto x = random_normal({kCount}, at::kFloat, context.device, 1);
    const auto y = random_normal({kCount}, at::kFloat, context.device, 2);
    const auto z = at::empty_like(x);
    PreparedPhase whole;
    whole.run = [=] {
      const auto stream = at::accelerator::getCurrentStream(z.get_device()).native_handle();
      consumer::launch_saxpy(kFactor, x.const_data_ptr<float>(), y.const_data_ptr<float>(),
                             z.mutable_data_ptr<float>(), kCount,
                             static_cast<cudaStream_t>(stream));
      return z;
    };
    whole.reference = [=] { return kFactor * exact(x) + exact(y); };
    // A product, or one multiply-add, and a sum.
    whole.tolerances = {{2 * unit_roundoff(at::kFloat), 2 * unit_roundoff(at::kFloat)}};
    whole.operands = {x, y};
    return whole;
  };
  return {item};
}

const Tables kTables = {saxpy};

}  // namespace
