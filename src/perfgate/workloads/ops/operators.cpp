#include "perfgate/workloads/ops/operators.h"

#include <ATen/ops/empty_like.h>
#include <ATen/ops/layer_norm.h>
#include <ATen/ops/lstm.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/mv.h>
#include <ATen/ops/scaled_dot_product_attention.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/zeros.h>

#include <cmath>

#include "perfgate/workloads/inputs.h"
#include "perfgate/workloads/prepared.h"

namespace perfgate::ops {
namespace {

bool on_cpu(at::DeviceType device) { return device == at::DeviceType::CPU; }

at::ScalarType usual_dtype(at::DeviceType device) {
  return on_cpu(device) ? at::kFloat : at::kBFloat16;
}

std::string key_of(const std::string& op, at::ScalarType dtype, const std::string& shape) {
  return "ops/" + op + "/" + short_name(dtype) + "/" + shape + "/eager";
}

Case mm_case(at::ScalarType dtype, std::int64_t size) {
  const auto n = static_cast<double>(size);
  Case out;
  out.key = key_of("mm", dtype, "N" + std::to_string(size));
  out.work().traffic = {{3 * n * n * size_of(dtype)}, {2 * n * n * n}, Bound::kCompute};
  out.work().executed = out.work().traffic;
  out.footprint = out.work().traffic.bytes;
  out.prepare = [=](const PrepareContext& context) {
    const auto a = random_normal({size, size}, dtype, context.device, 1);
    const auto b = random_normal({size, size}, dtype, context.device, 2);
    return PreparedPhase{[=] { return at::mm(a, b); },
                         [=] { return at::mm(exact(a), exact(b)); },
                         {dot_product_tolerance(dtype, n)},
                         {a, b}};
  };
  return out;
}

// Scores are dot products of length 64 scaled to unit variance, softmax is exact to a few u, and
// the output averages 512 values: sums of `positions` bounded terms. Probabilities and, in the
// fused kernels, scores are rounded to the input's dtype.
Tolerance attention_tolerance(at::ScalarType dtype, double positions, double head) {
  const auto sums = dot_product_tolerance(dtype, head);
  return {(4 * unit_roundoff(dtype) + sums.absolute) / std::sqrt(positions) * 6,
          4 * unit_roundoff(dtype)};
}

}  // namespace

std::vector<Case> mm(at::DeviceType device) {
  if (on_cpu(device)) {
    return {mm_case(at::kFloat, 512)};
  }
  return {mm_case(at::kBFloat16, 512), mm_case(at::kBFloat16, 2048), mm_case(at::kBFloat16, 8192)};
}

std::vector<Case> sdpa(at::DeviceType device) {
  constexpr std::int64_t kHeads = 8;
  constexpr std::int64_t kPositions = 512;
  constexpr std::int64_t kHead = 64;
  const std::int64_t batch = on_cpu(device) ? 2 : 128;
  const auto dtype = usual_dtype(device);
  const double rows = static_cast<double>(batch * kHeads * kPositions);

  Case out;
  out.key = key_of("sdpa", dtype,
                   std::to_string(batch) + "x" + std::to_string(kHeads) + "x" +
                       std::to_string(kPositions) + "x" + std::to_string(kHead));
  out.work().traffic = {
      {4 * rows * kHead * size_of(dtype)}, {4 * rows * kPositions * kHead}, Bound::kCompute};
  out.work().executed = out.work().traffic;
  out.footprint = {out.work().traffic.bytes.count + rows * kPositions * size_of(dtype)};
  out.prepare = [=](const PrepareContext& context) {
    const auto make = [&](std::uint64_t seed) {
      return random_normal({batch, kHeads, kPositions, kHead}, dtype, context.device, seed);
    };
    const auto q = make(1);
    const auto k = make(2);
    const auto v = make(3);
    return PreparedPhase{[=] { return at::scaled_dot_product_attention(q, k, v); },
                         [=] {
                           const auto scores = at::matmul(exact(q), exact(k).transpose(-2, -1));
                           return at::matmul(
                               at::softmax(scores.div(std::sqrt(static_cast<double>(kHead))), -1),
                               exact(v));
                         },
                         {attention_tolerance(dtype, kPositions, kHead)},
                         {q, k, v}};
  };
  return {out};
}

std::vector<Case> layer_norm(at::DeviceType device) {
  constexpr std::int64_t kRows = 4096;
  const std::int64_t width = on_cpu(device) ? 1024 : 8192;
  const auto dtype = usual_dtype(device);
  const double elements = static_cast<double>(kRows * width);

  Case out;
  out.key = key_of("layer_norm", dtype, "4096x" + std::to_string(width));
  out.work().traffic = {{2 * elements * size_of(dtype)}, {8 * elements}, Bound::kMemory};
  out.work().executed = out.work().traffic;
  out.work().utilisation_of = kDramCopyCeiling;
  out.footprint = out.work().traffic.bytes;
  out.prepare = [=](const PrepareContext& context) {
    const auto x = random_normal({kRows, width}, dtype, context.device, 1);
    const auto weight = random_normal({width}, dtype, context.device, 2);
    const auto bias = random_normal({width}, dtype, context.device, 3);
    return PreparedPhase{
        [=] { return at::layer_norm(x, {width}, weight, bias); },
        [=] { return at::layer_norm(exact(x), {width}, exact(weight), exact(bias)); },
        // Statistics over `width` values in fp32, then one rounding; see gpt_fast/layer_norm.cpp.
        {{8 * unit_roundoff(at::kFloat) * std::sqrt(static_cast<double>(width)),
          unit_roundoff(dtype)}},
        {x, weight, bias}};
  };
  return {out};
}

std::vector<Case> gemv(at::DeviceType device) {
  constexpr std::int64_t kWidth = 4096;
  const auto dtype = usual_dtype(device);
  const double elements = double{kWidth} * kWidth;

  Case out;
  out.key = key_of("gemv", dtype, "N4096");
  out.work().traffic = {{elements * size_of(dtype)}, {2 * elements}, Bound::kMemory};
  out.work().executed = out.work().traffic;
  out.footprint = out.work().traffic.bytes;
  out.prepare = [=](const PrepareContext& context) {
    const auto weights = random_normal({kWidth, kWidth}, dtype, context.device, 1);
    const auto x = random_normal({kWidth}, dtype, context.device, 2);
    return PreparedPhase{[=] { return at::mv(weights, x); },
                         [=] { return matrix_vector_reference(weights, x); },
                         {dot_product_tolerance(dtype, kWidth)},
                         {weights, x}};
  };
  return {out};
}

std::vector<Case> copy(at::DeviceType device) {
  const std::int64_t mib = on_cpu(device) ? 64 : 512;
  const std::int64_t elements = mib * (std::int64_t{1} << 20) / 4;

  Case out;
  out.key = key_of("copy", at::kFloat, std::to_string(mib) + "MiB");
  out.work().traffic = {{8.0 * static_cast<double>(elements)}, {0}, Bound::kMemory};
  out.work().executed = out.work().traffic;
  out.work().utilisation_of = kDramCopyCeiling;
  out.footprint = out.work().traffic.bytes;
  out.prepare = [=](const PrepareContext& context) {
    const auto from = random_normal({elements}, at::kFloat, context.device, 1);
    const auto to = at::empty_like(from);
    return PreparedPhase{[=] { return to.copy_(from); },
                         [=] { return exact(from); },
                         {{0, 0}},  // a copy is exact
                         {from, to}};
  };
  return {out};
}

namespace {

constexpr std::int64_t kSteps = 100;
constexpr std::int64_t kBatch = 64;
constexpr std::int64_t kUnits = 512;  // inputs too
constexpr std::int64_t kGateRows = 4 * kUnits;

// Input and recurrent weights and their biases as one block in cuDNN's own order, or LibTorch
// would copy them into one before every call.
std::vector<at::Tensor> lstm_weights(at::Device device) {
  const std::int64_t matrix = kGateRows * kUnits;
  const auto block = random_normal({2 * matrix + 2 * kGateRows}, at::kFloat, device, 2)
                         .mul_(1 / std::sqrt(2.0 * kUnits));
  return {block.narrow(0, 0, matrix).view({kGateRows, kUnits}),
          block.narrow(0, matrix, matrix).view({kGateRows, kUnits}),
          block.narrow(0, 2 * matrix, kGateRows),
          block.narrow(0, 2 * matrix + kGateRows, kGateRows)};
}

at::Tensor run_lstm(const at::Tensor& x, const std::vector<at::Tensor>& weights,
                    const at::Tensor& state) {
  return std::get<0>(at::lstm(x, {state, state}, weights, /*has_biases=*/true, /*num_layers=*/1,
                              /*dropout=*/0, /*train=*/false, /*bidirectional=*/false,
                              /*batch_first=*/false));
}

// TF32 rounds the factors of every product to 2^-11, which leaves u sqrt(2/3) on sums of unit
// variance. Forget gates about one half let each step's error die out by a factor of two, so that
// they add up to twice one step's; six standard deviations, twice for what h feeds back.
Tolerance lstm_tolerance() {
  return {6 * 2 * 2 * unit_roundoff(at::kHalf) * std::sqrt(2.0 / 3), 0};
}

}  // namespace

std::vector<Case> lstm(at::DeviceType device) {
  if (on_cpu(device)) {
    return {};
  }
  Case out;
  out.key = key_of("lstm", at::kFloat, "100x64x512");
  const double products = 2.0 * kSteps * kBatch * kGateRows * kUnits;
  const double values = 2.0 * kSteps * kBatch * kUnits + 2.0 * kGateRows * kUnits;
  out.work().traffic = {{values * size_of(at::kFloat)}, {2 * products}, Bound::kCompute};
  out.work().executed = out.work().traffic;
  out.work().executed.operations.count *=
      8;  // of the time that 200 kernels in a row take, most is latency
  out.footprint = {out.work().traffic.bytes.count +
                   4.0 * kSteps * kBatch * kGateRows * 4};  // all gates
  out.work().utilisation_of = NoCeiling{};  // TF32, and latency rather than either bound
  out.prepare = [](const PrepareContext& context) {
    const auto x = random_normal({kSteps, kBatch, kUnits}, at::kFloat, context.device, 1);
    const auto weights = lstm_weights(context.device);
    const auto state = at::zeros({1, kBatch, kUnits}, x.options());
    return PreparedPhase{[=] { return run_lstm(x, weights, state); },
                         [=] {  // on the CPU: not by cuDNN
                           const auto there = [](const at::Tensor& t) { return exact(t.cpu()); };
                           std::vector<at::Tensor> exact_weights;
                           for (const auto& weight : weights) {
                             exact_weights.push_back(there(weight));
                           }
                           return run_lstm(there(x), exact_weights, there(state));
                         },
                         {lstm_tolerance()},
                         {x}};
  };
  return {out};
}

}  // namespace perfgate::ops
