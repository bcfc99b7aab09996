#include "perfgate/workloads/ceilings/ceilings.h"

#include <ATen/DeviceAccelerator.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/zeros.h>

#include <cmath>
#include <limits>

#include "perfgate/measure/ceiling_kernels.h"
#include "perfgate/workloads/inputs.h"
#include "perfgate/workloads/prepared.h"

namespace perfgate::ceilings {
namespace {

constexpr std::int64_t kMib = std::int64_t{1} << 20;

void* current_stream() {
  return at::accelerator::getCurrentStream(at::accelerator::getDeviceIndex()).native_handle();
}

at::Tensor random_words(std::int64_t bytes, at::Device device) {
  return at::randint(std::numeric_limits<std::int32_t>::min(),
                     std::numeric_limits<std::int32_t>::max(), {bytes / 4},
                     at::TensorOptions(at::kInt).device(device));
}

// Each chunk's sum as the kernel wraps it.
at::Tensor wrapped_sums(const at::Tensor& words) {
  const auto sums = words.view({kStreamChunks, -1}).sum(1, false, at::kLong);
  const auto low = sums.bitwise_and(0xffffffffLL);
  return low.sub(low.ge(0x80000000LL).to(at::kLong).mul(0x100000000LL)).to(at::kDouble);
}

Case dram_read() {
  constexpr std::int64_t kBytes = 1024 * kMib;
  static_assert(kBytes % (kStreamChunks * kStreamGrain) == 0);
  Case out;
  out.key = "ceilings/dram_read/1GiB";
  out.work().traffic = {{double{kBytes}}, {0}, Bound::kMemory};
  out.work().executed = out.work().traffic;
  out.ceiling = {kDramRead, [](Seconds net) { return gb_per_s({double{kBytes}}, net); }};
  out.footprint = out.work().traffic.bytes;
  out.prepare = [](const PrepareContext& context) {
    const auto words = random_words(kBytes, context.device);
    return PreparedPhase{[=] {
                           auto sums = at::empty({kStreamChunks}, words.options());
                           queue_read(current_stream(), words.const_data_ptr(), kBytes,
                                      sums.mutable_data_ptr<std::int32_t>());
                           return sums;
                         },
                         [=] { return wrapped_sums(words); },
                         {{0, 0}},  // integers
                         {words}};
  };
  return out;
}

Case dram_copy() {
  constexpr std::int64_t kBytes = 512 * kMib;
  Case out;
  out.key = "ceilings/dram_copy/512MiB";
  out.work().traffic = {{2.0 * kBytes}, {0}, Bound::kMemory};
  out.work().executed = out.work().traffic;
  out.ceiling = {kDramCopyCeiling, [](Seconds net) { return gb_per_s({2.0 * kBytes}, net); }};
  out.footprint = out.work().traffic.bytes;
  out.prepare = [](const PrepareContext& context) {
    const auto from = random_words(kBytes, context.device);
    auto to = at::empty_like(from);
    return PreparedPhase{[=] {
                           queue_copy(current_stream(), from.const_data_ptr(),
                                      to.mutable_data_ptr(), kBytes);
                           return to;
                         },
                         [=] { return exact(from); },
                         {{0, 0}},
                         {from, to}};
  };
  return out;
}

void require_hopper_of_132() {
  if (!is_hopper_of_132()) {
    throw Unsupported(
        "this ceiling is written for GPUs of compute capability 9.0 with 132 multiprocessors");
  }
}

struct TensorCore {
  TensorCoreOperands operands;
  at::ScalarType dtype;
  std::string name;  // of the key
  Ceiling ceiling;   // that it measures
};

TensorCore tensor_core_of(TensorCoreOperands operands, at::ScalarType dtype) {
  return {operands, dtype, short_name(dtype), product_ceiling(dtype)};
}

std::int64_t tile_depth(at::ScalarType dtype) {
  return kTileDepthBytes / static_cast<std::int64_t>(c10::elementSize(dtype));
}

// fp32 factors of TF32's ten bits, which the tensor cores do not cut anything off from.
at::Tensor random_factors(at::IntArrayRef size, at::ScalarType dtype, at::Device device,
                          std::uint64_t seed) {
  const auto drawn = dtype == at::kFloat ? at::kBFloat16 : dtype;
  return random_normal(size, drawn, device, seed).to(dtype);
}

// Each of `repeats` times eight steps rounds the fp32 sum toward zero, alike every time; the sum
// grows to repeats * sqrt(depth) at a few standard deviations. Integers are exact.
Tolerance tensor_core_tolerance(at::ScalarType dtype, double repeats) {
  if (dtype == at::kChar) {
    return {0, 0};
  }
  const auto depth = static_cast<double>(tile_depth(dtype));
  constexpr double kStepBytes = 32;  // of depth, that one instruction adds up
  const double steps = repeats * static_cast<double>(kTileDepthBytes) / kStepBytes;
  const double relative = steps * 2 * unit_roundoff(at::kFloat);
  return {relative * repeats * std::sqrt(depth), relative};
}

Case tensor_core(const TensorCore& unit) {
  constexpr int kRepeats = 1000;  // about a millisecond
  Case out;
  out.key = "ceilings/tensor_core/" + unit.name;
  const auto depth = tile_depth(unit.dtype);
  const double operations =
      2.0 * kTensorCoreBlocks * kRepeats * kTileRows * kTileColumns * static_cast<double>(depth);
  out.work().traffic = {{0}, {operations}, Bound::kCompute, unit.dtype == at::kChar};
  out.work().executed = out.work().traffic;
  out.work().utilisation_of = unit.ceiling;
  out.ceiling = {unit.ceiling, [=](Seconds net) { return gflop_per_s({operations}, net); }};
  out.footprint = {4.0 * kTensorCoreBlocks * kTileRows * kTileColumns};
  out.prepare = [=](const PrepareContext& context) {
    require_hopper_of_132();
    const auto make = [&](std::int64_t rows, std::uint64_t seed) {
      // Truncated normals would be mostly zeros, which draw less power than any real data.
      return unit.dtype == at::kChar
                 ? at::randint(-128, 128, {rows, depth},
                               at::TensorOptions(at::kChar).device(context.device))
                 : random_factors({rows, depth}, unit.dtype, context.device, seed);
    };
    const auto a = make(kTileRows, 1);
    const auto b = make(kTileColumns, 2);
    const auto sums = unit.dtype == at::kChar ? at::kInt : at::kFloat;
    return PreparedPhase{
        [=] {
          auto product =
              at::empty({kTensorCoreBlocks, kTileRows, kTileColumns}, a.options().dtype(sums));
          queue_tensor_core(current_stream(), unit.operands, a.const_data_ptr(), b.const_data_ptr(),
                            product.mutable_data_ptr(), kRepeats);
          return product;
        },
        [=] {
          const auto product = at::matmul(exact(a), exact(b).t()).mul(kRepeats);
          return product.expand({kTensorCoreBlocks, kTileRows, kTileColumns});
        },
        {tensor_core_tolerance(unit.dtype, kRepeats)},
        {a, b}};
  };
  return out;
}

// What fp32 products run into, which have no tensor cores.
Case fma() {
  constexpr int kRepeats = 4000;  // about a quarter of a millisecond
  Case out;
  out.key = "ceilings/fma/fp32";
  const double operations = 2.0 * kFmaThreads * kFmaChains * kRepeats;
  out.work().traffic = {{0}, {operations}, Bound::kCompute};
  out.work().executed = out.work().traffic;
  out.work().executed.operations.count *= 12;  // the rate is a twelfth of the tensor cores'
  out.work().utilisation_of = product_ceiling(at::kFloat);
  out.ceiling = {product_ceiling(at::kFloat),
                 [=](Seconds net) { return gflop_per_s({operations}, net); }};
  out.footprint = {4.0 * kFmaThreads * 4};
  out.prepare = [](const PrepareContext& context) {
    require_hopper_of_132();
    // Factors of 1/4 to 3/4 draw every chain to b / (1 - a).
    const auto a =
        random_normal({kFmaThreads}, at::kFloat, context.device, 1).sigmoid_().mul_(0.5).add_(0.25);
    const auto b = random_normal({kFmaThreads}, at::kFloat, context.device, 2);
    return PreparedPhase{[=] {
                           auto sums = at::empty_like(a);
                           queue_fma(current_stream(), a.const_data_ptr<float>(),
                                     b.const_data_ptr<float>(), sums.mutable_data_ptr<float>(),
                                     kRepeats);
                           return sums;
                         },
                         [=] { return exact(b).div(exact(a).neg().add(1)).mul(kFmaChains); },
                         // A chain's rounding errors sum to u / (1 - a), at most four times u,
                         // relative to its limit; the sum of eight adds seven more.
                         {{1e-30, 12 * unit_roundoff(at::kFloat)}},
                         {a, b}};
  };
  return out;
}

// `count` empty kernels, one after the other.
PreparedPhase empty_kernels(const PrepareContext& context, int count) {
  auto nothing = at::zeros({1}, at::TensorOptions(at::kFloat).device(context.device));
  return {[=] {
            for (int i = 0; i < count; ++i) {
              queue_empty_kernel(current_stream());
            }
            return nothing;
          },
          [=] { return at::zeros({1}, at::kDouble); },
          {{0, 0}},
          {}};
}

Case event_floor() {
  Case out;
  out.key = "ceilings/event_floor/empty";
  out.work().judged = Judged::kElapsed;
  out.work().utilisation_of = NoCeiling{};
  out.prepare = [](const PrepareContext& context) { return empty_kernels(context, 1); };
  return out;
}

Case launch_interval() {
  constexpr int kLaunches = 100;
  Case out;
  out.key = "ceilings/launch_interval/100";
  out.work().utilisation_of = NoCeiling{};
  out.work().statistic = Statistic::kBest;  // on some GPUs one process of five queues 13 % slower
  out.ceiling = {Ceiling{"launch_interval", Unit::kMicroseconds},
                 [](Seconds net) { return Microseconds(net).count() / kLaunches; }};
  out.prepare = [](const PrepareContext& context) { return empty_kernels(context, kLaunches); };
  return out;
}

}  // namespace

std::vector<Case> all(at::DeviceType device) {
  if (device != at::DeviceType::CUDA) {
    return {};
  }
  return {event_floor(),
          launch_interval(),
          dram_read(),
          dram_copy(),
          tensor_core(tensor_core_of(TensorCoreOperands::kBf16, at::kBFloat16)),
          tensor_core(tensor_core_of(TensorCoreOperands::kFp16, at::kHalf)),
          tensor_core({TensorCoreOperands::kTf32, at::kFloat, "tf32", kTf32Ceiling}),
          tensor_core(tensor_core_of(TensorCoreOperands::kInt8, at::kChar)),
          fma()};
}

}  // namespace perfgate::ceilings
