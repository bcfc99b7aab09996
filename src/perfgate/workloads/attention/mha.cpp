#include "perfgate/workloads/attention/mha.h"

#include <ATen/ops/_native_multi_head_attention.h>
#include <ATen/ops/_nested_view_from_buffer.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/scaled_dot_product_attention.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "perfgate/workloads/attention/sdp_backend.h"
#include "perfgate/workloads/attention/shapes.h"
#include "perfgate/workloads/compiled_package.h"
#include "perfgate/workloads/inputs.h"

namespace perfgate::attention {
namespace {

constexpr double kProjectionBias = 0.25;  // standard deviation; small, so that no score dominates

// An implementation: one of nn.MultiheadAttention's two, or the composite by some kernel.
struct Way {
  std::string name;
  bool is_composite = true;
  bool need_weights = false;  // of nn.MultiheadAttention
  SdpBackend backend = SdpBackend::kFused;
  bool compiled = false;
};

const std::vector<Way>& ways() {
  static const std::vector<Way> all = {
      {.name = "nn_mha", .is_composite = false, .need_weights = true},
      {.name = "nn_mha_fused", .is_composite = false},
      {.name = "nn_mha_compiled", .is_composite = false, .need_weights = true, .compiled = true},
      {.name = "composite"},
      {.name = "composite_compiled", .compiled = true},
      {.name = "flash", .backend = SdpBackend::kFlash},
      {.name = "efficient", .backend = SdpBackend::kEfficient},
      {.name = "cudnn", .backend = SdpBackend::kCudnn},
      {.name = "math", .backend = SdpBackend::kMath}};
  return all;
}

bool exists_for(const Way& way, const Shape& shape, at::DeviceType device) {
  // A CPU has one fused kernel, which composite then is.
  const bool one_of_several = way.backend == SdpBackend::kFlash ||
                              way.backend == SdpBackend::kEfficient ||
                              way.backend == SdpBackend::kCudnn;
  return !(way.compiled && shape.input == Input::kNested) &&
         !(one_of_several && device == at::DeviceType::CPU);
}

struct Weights {
  at::Tensor in;        // [3 width, width]: queries, keys, values
  at::Tensor in_bias;   // [3 width]
  at::Tensor out;       // [width, width]
  at::Tensor out_bias;  // [width]
};

Weights make_weights(const Shape& shape, at::Device device) {
  const auto normal = [&](at::IntArrayRef sizes, std::uint64_t seed, double scale) {
    return random_normal(sizes, shape.dtype, device, seed).mul_(scale);
  };
  const auto w = shape.width;
  const double scale = 1 / std::sqrt(static_cast<double>(w));
  return {normal({3 * w, w}, 2, scale), normal({3 * w}, 3, kProjectionBias),
          normal({w, w}, 4, scale), normal({w}, 5, 1)};
}

struct Rows {
  at::Tensor x;       // [batch, length, width], or nested [batch, (rows), width]
  at::Tensor memory;  // the same values, one row below the other
};

// Nested rows lie one below the other in one buffer, as LibTorch itself lays them out.
Rows make_rows(const Shape& shape, at::Device device) {
  const auto lengths = row_lengths(shape);
  const auto total = std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0});
  Rows out;
  out.memory = random_normal({total, shape.width}, shape.dtype, device, 1);
  if (shape.input == Input::kDense) {
    out.x = out.memory.view({shape.batch, shape.length, shape.width});
    return out;
  }
  std::vector<std::int64_t> sizes;
  std::vector<std::int64_t> strides;
  std::vector<std::int64_t> offsets;
  std::int64_t begin = 0;
  for (const auto length : lengths) {
    sizes.insert(sizes.end(), {length, shape.width});
    strides.insert(strides.end(), {shape.width, 1});
    offsets.push_back(begin * shape.width);
    begin += length;
  }
  out.x = at::_nested_view_from_buffer(out.memory.view({-1}), at::tensor(sizes).view({-1, 2}),
                                       at::tensor(strides).view({-1, 2}), at::tensor(offsets));
  return out;
}

at::Tensor composite(const at::Tensor& x, const Weights& weights, std::int64_t heads) {
  const auto projected = at::linear(x, weights.in, weights.in_bias);
  const auto batch = x.size(0);
  const auto width = weights.out.size(0);
  const auto by_head = [&](const at::Tensor& t) {
    return t.view({batch, -1, heads, width / heads}).transpose(1, 2);
  };
  const auto parts = projected.chunk(3, -1);
  const auto mixed =
      at::scaled_dot_product_attention(by_head(parts[0]), by_head(parts[1]), by_head(parts[2]));
  return at::linear(mixed.transpose(1, 2).reshape({batch, -1, width}), weights.out,
                    weights.out_bias);
}

at::Tensor nn_mha(const at::Tensor& x, const Weights& weights, std::int64_t heads,
                  bool need_weights) {
  return std::get<0>(at::_native_multi_head_attention(
      x, x, x, weights.out.size(0), heads, weights.in, weights.in_bias, weights.out,
      weights.out_bias, /*mask=*/{}, need_weights, /*average_attn_weights=*/true));
}

// Rows of [batch, length, width] in float64, all of one length; a block of queries at a time, so
// that scores stay below half a gigabyte.
at::Tensor exact_attention(const at::Tensor& x, const Weights& weights, std::int64_t heads) {
  constexpr std::int64_t kScores = std::int64_t{1} << 26;
  const auto projected = at::linear(exact(x), exact(weights.in), exact(weights.in_bias));
  const auto width = weights.out.size(0);
  const auto length = x.size(1);
  const auto head = width / heads;
  const auto by_head = [&](const at::Tensor& t) {
    return t.reshape({x.size(0), length, heads, head}).transpose(1, 2);
  };
  const auto parts = projected.chunk(3, -1);
  const auto keys = by_head(parts[1]).transpose(-2, -1);
  const auto values = by_head(parts[2]);
  const auto block = std::max<std::int64_t>(1, kScores / (x.size(0) * heads * length));
  std::vector<at::Tensor> mixed;
  for (const auto& queries : by_head(parts[0]).split(block, 2)) {
    const auto scores = at::matmul(queries, keys).div_(std::sqrt(static_cast<double>(head)));
    mixed.push_back(at::matmul(at::softmax(scores, -1), values));
  }
  return at::linear(at::cat(mixed, 2).transpose(1, 2).reshape(x.sizes()), exact(weights.out),
                    exact(weights.out_bias));
}

// By rows that have a length in common, a few at a time.
at::Tensor reference(const Shape& shape, const Rows& rows, const Weights& weights) {
  constexpr std::int64_t kRowsAtOnce = 16;
  std::vector<at::Tensor> out;
  if (shape.input == Input::kNested) {
    for (const auto& row : rows.x.unbind()) {
      out.push_back(exact_attention(row.unsqueeze(0), weights, shape.heads).squeeze(0));
    }
  } else {
    for (const auto& some : rows.x.split(kRowsAtOnce)) {
      out.push_back(exact_attention(some, weights, shape.heads));
    }
  }
  return at::cat(out);
}

// With unit roundoff u, and six standard deviations of: queries, keys and, where they are not
// fused, scores of unit variance, rounded, which moves each probability by about u relatively,
// hence the mean over a row by u times the root of the sum of squared probabilities, sqrt(e /
// length); probabilities rounded, the same again; that mean, of the size of the values' bias and
// itself, rounded; the output projection averages over the width. Then the sum and the bias are
// rounded. In fp32 sums over the width in any order come on top.
Tolerance tolerance_of(const Shape& shape) {
  const auto lengths = row_lengths(shape);
  const auto shortest = static_cast<double>(*std::min_element(lengths.begin(), lengths.end()));
  const double u = unit_roundoff(shape.dtype);
  const double spread = std::min(1.0, std::sqrt(std::numbers::e / shortest));
  const double sums = 2 * unit_roundoff(at::kFloat) * static_cast<double>(shape.width);
  return {6 * u * (spread + kProjectionBias) + sums, 2 * u};
}

struct Work {
  double rows = 0;         // of all inputs
  double row_squares = 0;  // sum of squared lengths
};

Work work_of(const Shape& shape) {
  Work out;
  for (const auto length : row_lengths(shape)) {
    out.rows += static_cast<double>(length);
    out.row_squares += static_cast<double>(length) * static_cast<double>(length);
  }
  return out;
}

std::function<at::Tensor()> body(const Way& way, const Shape& shape, const at::Tensor& x,
                                 const Weights& weights) {
  const auto heads = shape.heads;
  if (!way.is_composite) {
    return [=, need_weights = way.need_weights] {
      const SdpBackendGuard fused(SdpBackend::kFused);
      return nn_mha(x, weights, heads, need_weights);
    };
  }
  return [=, backend = way.backend] {
    const SdpBackendGuard only(backend);
    return composite(x, weights, heads);
  };
}

std::optional<Package> package_of(const Way& way, const Shape& shape) {
  if (!way.compiled) {
    return std::nullopt;
  }
  const std::string workload = way.is_composite ? "composite" : "nn_mha";
  return Package{stem_of(shape) + "/" + workload,
                 "attention/" + workload + ".py",
                 {{"batch", shape.batch},
                  {"heads", shape.heads},
                  {"length", shape.length},
                  {"width", shape.width},
                  {"variant", short_name(shape.dtype)}}};
}

Case mha_case(const Shape& shape, const Way& way, at::DeviceType device) {
  const auto [rows, row_squares] = work_of(shape);
  const auto width = static_cast<double>(shape.width);
  const auto heads = static_cast<double>(shape.heads);
  const double size = size_of(shape.dtype);

  Case out;
  out.key = stem_of(shape) + "/" + way.name;
  if (way.name != "nn_mha") {
    out.compared_with = stem_of(shape) + "/nn_mha";
  }
  out.package = package_of(way, shape);
  out.parameters = {{"batch_size", shape.batch},
                    {"num_heads", shape.heads},
                    {"max_sequence_len", shape.length},
                    {"embed_dimension", shape.width},
                    {"dtype", short_name(shape.dtype)},
                    {"pad_percentage", shape.input == Input::kNested ? "0.9" : "None"},
                    {"implementation", way.name}};
  out.traffic = {{(2 * rows * width + 4 * width * width) * size},
                 {8 * rows * width * width + 4 * row_squares * width},
                 Bound::kCompute};
  // Scores go to memory and back, several times, where they are not fused.
  const bool unfused = way.need_weights || way.backend == SdpBackend::kMath;
  const double padded_squares =
      static_cast<double>(shape.batch) * static_cast<double>(shape.length * shape.length);
  const double scores = unfused ? heads * padded_squares : 0;
  out.executed = out.traffic;
  out.executed.bytes.count += 6 * scores * size + 8 * rows * width * size;
  if (shape.dtype == at::kFloat && device != at::DeviceType::CPU) {
    out.executed.operations.count *= 12;  // no tensor cores
  }
  // nn_mha and math keep scores and probabilities, math in fp32; nn_mha pads nested rows.
  const double all_rows = static_cast<double>(shape.batch * shape.length);
  out.footprint = {(16 * all_rows * width + 8 * width * width) * size + 12 * scores};
  out.held_against = product_ceiling(shape.dtype);
  // No single kernel takes every dtype and head size, and on a CPU none takes nested input.
  const bool one_fused_kernel =
      way.backend != SdpBackend::kFused && way.backend != SdpBackend::kMath;
  out.may_refuse = one_fused_kernel || shape.input == Input::kNested;
  out.prepare = [=, package = out.package](const PrepareContext& context) {
    const auto inputs = make_rows(shape, context.device);
    const auto weights = make_weights(shape, context.device);
    Prepared prepared;
    if (package) {
      prepared.run = [=, call = load_package(context, *package)] {
        return call({inputs.x, weights.in, weights.in_bias, weights.out, weights.out_bias});
      };
    } else {
      prepared.run = body(way, shape, inputs.x, weights);
    }
    prepared.reference = [=] { return reference(shape, inputs, weights); };
    prepared.tolerance = tolerance_of(shape);
    prepared.operands = {inputs.memory, weights.in, weights.in_bias, weights.out, weights.out_bias};
    return prepared;
  };
  return out;
}

}  // namespace

std::vector<Case> mha(at::DeviceType device) {
  std::vector<Case> out;
  for (const auto& shape : shapes(device)) {
    for (const auto& way : ways()) {
      if (exists_for(way, shape, device)) {
        out.push_back(mha_case(shape, way, device));
      }
    }
  }
  return out;
}

std::optional<Case> mha_to_order(const std::string& key, at::DeviceType device) {
  const auto parsed = parse_key(key);
  if (!parsed) {
    return std::nullopt;
  }
  const auto& [shape, name] = *parsed;
  for (const auto& way : ways()) {
    if (way.name == name && !way.compiled && exists_for(way, shape, device)) {
      auto out = mha_case(shape, way, device);
      out.may_refuse = true;  // sizes that nobody has tried
      return out;
    }
  }
  return std::nullopt;
}

}  // namespace perfgate::attention
