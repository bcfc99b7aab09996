// swish, trained: forward and backward are two phases of a case. And its formula, compiled.

#include "operators/swish.h"

#include <ATen/ops/sigmoid.h>
#include <torch/csrc/autograd/autograd.h>

#include "perfgate/workloads/compiled_package.h"
#include "perfgate/workloads/workload.h"

namespace {

using namespace perfgate;

// On any device, in float64, by LibTorch's own operators.
at::Tensor exact_gradient(const at::Tensor& dy, const at::Tensor& x) {
  const auto sigmoid = at::sigmoid(x);
  return dy * sigmoid * (1 + x * (1 - sigmoid));
}

// An exponential, a division and a few products, of what is at most about 1.
const Tolerance kSomeRoundings{16 * unit_roundoff(at::kFloat), 16 * unit_roundoff(at::kFloat)};

// An exponential is some twenty operations: on a CPU they take longer than the memory does.
Case trained(std::int64_t count, Bound bound) {
  const auto elements = static_cast<double>(count);
  const double bytes = 4 * elements;
  Case item;
  item.key = "swish/train/fp32/n" + std::to_string(count) + "/eager";
  item.autograd = true;
  item.footprint = {6 * bytes};
  item.phases.clear();
  item.phases[Phase::kForward].traffic = {{2 * bytes}, {22 * elements}, bound};
  item.phases[Phase::kBackward].traffic = {{3 * bytes}, {27 * elements}, bound};
  for (auto& [phase, work] : item.phases) {
    work.executed = work.traffic;
  }
  item.prepare = [count](const PrepareContext& context) {
    const auto x = random_normal({count}, at::kFloat, context.device, 1).requires_grad_();
    const auto dy = random_normal({count}, at::kFloat, context.device, 2);
    Prepared out;
    PreparedPhase& forward = out.phases[Phase::kForward];
    forward.run = [x] { return consumer::swish(x); };
    forward.reference = [x] { return exact(x) * at::sigmoid(exact(x)); };
    forward.tolerances = {kSomeRoundings};
    forward.operands = {x};
    PreparedPhase& backward = out.phases[Phase::kBackward];
    const auto y = std::make_shared<at::Tensor>();
    backward.before_each = [x, y] { *y = consumer::swish(x); };
    backward.run = [x, y, dy] { return torch::autograd::grad({*y}, {x}, {dy}).at(0); };
    backward.reference = [x, dy] { return exact_gradient(exact(dy), exact(x)); };
    backward.tolerances = {kSomeRoundings};
    backward.operands = {x, dy};
    return out;
  };
  return item;
}

Case compiled(std::int64_t count, Bound bound) {
  const auto elements = static_cast<double>(count);
  Case item;
  item.package = {
      "swish/infer/fp32/n" + std::to_string(count), "gate/swish.py", {{"count", count}}};
  item.key = item.package->name + "/compiled";
  item.work().traffic = {{8 * elements}, {22 * elements}, bound};
  item.work().executed = item.work().traffic;
  item.footprint = {12 * elements};
  item.prepare = [count, package = *item.package](const PrepareContext& context) {
    const auto x = random_normal({count}, at::kFloat, context.device, 1);
    PreparedPhase whole;
    whole.run = [x, call = load_package(context, package)] { return call({x}); };
    whole.reference = [x] { return exact(x) * at::sigmoid(exact(x)); };
    whole.tolerances = {kSomeRoundings};
    whole.operands = {x};
    return whole;
  };
  return item;
}

std::vector<Case> swish(at::DeviceType device) {
  const bool on_cpu = device == at::kCPU;
  const std::int64_t count = on_cpu ? 1 << 14 : 1 << 26;
  const Bound bound = on_cpu ? Bound::kCompute : Bound::kMemory;
  return {trained(count, bound), compiled(count, bound)};
}

const Tables kTables = {swish};

}  // namespace
