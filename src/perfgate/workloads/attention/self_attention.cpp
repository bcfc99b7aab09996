#include "perfgate/workloads/attention/self_attention.h"

#include <ATen/ops/_native_multi_head_attention.h>
#include <ATen/ops/_nested_view_from_buffer.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/scaled_dot_product_attention.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/tensor.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "perfgate/workloads/inputs.h"

namespace perfgate::attention {
namespace {

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

}  // namespace

Weights make_weights(const Shape& shape, at::Device device) {
  const auto normal = [&](at::IntArrayRef sizes, std::uint64_t seed, double scale) {
    return random_normal(sizes, shape.dtype, device, seed).mul_(scale);
  };
  const auto w = shape.width;
  const double scale = 1 / std::sqrt(static_cast<double>(w));
  return {normal({3 * w, w}, 2, scale), normal({3 * w}, 3, kProjectionBias),
          normal({w, w}, 4, scale), normal({w}, 5, 1)};
}

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

}  // namespace perfgate::attention
