#include "perfgate/workloads/attention/mha.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "perfgate/core/errors.h"
#include "perfgate/model/case_key.h"
#include "perfgate/workloads/attention/sdp_backend.h"
#include "perfgate/workloads/attention/self_attention.h"
#include "perfgate/workloads/attention/shapes.h"
#include "perfgate/workloads/compiled_package.h"
#include "perfgate/workloads/prepared.h"

namespace perfgate::attention {
namespace {

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

bool asks_for_scores(const Way& way) {
  return way.need_weights || way.backend == SdpBackend::kMath;
}

// nn.MultiheadAttention fuses on GPUs alone, and of heads whose width is a multiple of eight.
bool keeps_scores(const Way& way, const Shape& shape, at::DeviceType device) {
  const bool can_fuse =
      way.is_composite || (device != at::DeviceType::CPU && shape.width / shape.heads % 8 == 0);
  return asks_for_scores(way) || !can_fuse;
}

// No single fused kernel takes every dtype and head size, a device may have none that does, and on
// a CPU none takes nested input.
bool may_refuse(const Way& way, const Shape& shape) {
  const bool by_fused_kernels =
      way.is_composite && !way.compiled && way.backend != SdpBackend::kMath;
  return by_fused_kernels || shape.input == Input::kNested;
}

// With unit roundoff u, and six standard deviations of: queries, keys and, where they are not
// fused, scores of unit variance, rounded, which moves each probability by about u relatively,
// hence the mean over a row by u times the root of the sum of squared probabilities, sqrt(e /
// length); probabilities rounded, the same again; that mean, of the size of the values' bias and
// itself, rounded; the output projection averages over the width. Then the sum and the bias are
// rounded. On top come the projections' sums over the width, in fp32 by any order: partial sums of
// up to unit variance, whose errors grow like the root of their number, twice.
Tolerance tolerance_of(const Shape& shape) {
  const auto lengths = row_lengths(shape);
  const auto shortest = static_cast<double>(*std::min_element(lengths.begin(), lengths.end()));
  const double u = unit_roundoff(shape.dtype);
  const double spread = std::min(1.0, std::sqrt(std::numbers::e / shortest));
  const double sums = 2 * unit_roundoff(at::kFloat) * std::sqrt(static_cast<double>(shape.width));
  return {6 * (u * (spread + kProjectionBias) + sums), 2 * u};
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
    out.shown.compared_with = stem_of(shape) + "/nn_mha";
  }
  out.package = package_of(way, shape);
  out.shown.parameters = {{"batch_size", shape.batch},
                          {"num_heads", shape.heads},
                          {"max_sequence_len", shape.length},
                          {"embed_dimension", shape.width},
                          {"dtype", short_name(shape.dtype)},
                          {"pad_percentage", shape.input == Input::kNested ? "0.9" : "None"},
                          {"implementation", way.name}};
  out.work().traffic = {{(2 * rows * width + 4 * width * width) * size},
                        {8 * rows * width * width + 4 * row_squares * width},
                        Bound::kCompute};
  const double scores = heads * static_cast<double>(shape.batch) *
                        static_cast<double>(shape.length * shape.length);  // padded ones too
  // Scores go to memory and back, several times. (Those that nn_mha_fused keeps on a CPU, too; they
  // are left out, since this decides the number of samples, and with it what records are
  // comparable.)
  out.work().executed = out.work().traffic;
  out.work().executed.bytes.count +=
      (asks_for_scores(way) ? 6 * scores * size : 0) + 8 * rows * width * size;
  if (shape.dtype == at::kFloat && device != at::DeviceType::CPU) {
    out.work().executed.operations.count *= 12;  // no tensor cores
  }
  // nn_mha and math keep scores and probabilities, math in fp32; nn_mha pads nested rows.
  const double all_rows = static_cast<double>(shape.batch * shape.length);
  const double kept = keeps_scores(way, shape, device) ? 12 * scores : 0;
  out.footprint = {(16 * all_rows * width + 8 * width * width) * size + kept};
  out.work().utilisation_of = product_ceiling(shape.dtype);
  out.may_refuse = may_refuse(way, shape);
  out.prepare = [=, package = out.package](const PrepareContext& context) {
    const auto inputs = make_rows(shape, context.device);
    const auto weights = make_weights(shape, context.device);
    PreparedPhase prepared;
    if (package) {
      prepared.run = [=, call = load_package(context, *package)] {
        return call({inputs.x, weights.in, weights.in_bias, weights.out, weights.out_bias});
      };
    } else {
      prepared.run = body(way, shape, inputs.x, weights);
    }
    prepared.reference = [=] { return reference(shape, inputs, weights); };
    prepared.tolerances = {tolerance_of(shape)};
    prepared.operands = {inputs.memory, weights.in, weights.in_bias, weights.out, weights.out_bias};
    return prepared;
  };
  return out;
}

}  // namespace

std::vector<Case> mha(at::DeviceType device) {
  std::vector<Case> out;
  std::int64_t row = 0;
  for (const auto& shape : shapes(device)) {
    for (const auto& way : ways()) {
      if (exists_for(way, shape, device)) {
        out.push_back(mha_case(shape, way, device));
        out.back().shown.parameters["row"] = row;
      }
    }
    ++row;
  }
  return out;
}

std::vector<Case> custom_mha(const std::string& keys, at::DeviceType device) {
  const auto parsed = parse_key(keys);
  if (!parsed) {
    return {};
  }
  const auto& [shape, names] = *parsed;
  std::vector<Case> out;
  std::string possible;
  for (const auto& way : ways()) {
    if (way.compiled || !exists_for(way, shape, device)) {
      continue;
    }
    possible += (possible.empty() ? "" : ", ") + way.name;
    if (matches_glob(way.name, names)) {
      out.push_back(mha_case(shape, way, device));
      out.back().may_refuse = true;  // sizes that nobody has tried
    }
  }
  if (out.empty()) {
    throw UsageError("no implementation \"" + names + "\" takes \"" + keys + "\"",
                     "possible here: " + possible + "; and compiled ones of the table's sizes");
  }
  return out;
}

}  // namespace perfgate::attention
