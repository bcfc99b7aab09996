#include "perfgate/workloads/attention/shapes.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "perfgate/core/errors.h"
#include "perfgate/core/pattern.h"
#include "perfgate/workloads/case.h"

namespace perfgate::attention {
namespace {

constexpr double kPadding = 0.9;
constexpr double kPaddingDeviation = 0.01;
constexpr std::uint32_t kSeed = 123;

std::optional<at::ScalarType> dtype_of(const std::string& name) {
  for (const auto dtype : {at::kHalf, at::kBFloat16, at::kFloat}) {
    if (short_name(dtype) == name) {
      return dtype;
    }
  }
  return std::nullopt;
}

// std::normal_distribution draws differently in every standard library.
double normal(std::mt19937& bits) {
  const auto uniform = [&bits] { return (bits() + 1.0) / 4294967297.0; };
  const double radius = std::sqrt(-2 * std::log(uniform()));
  return radius * std::cos(2 * std::numbers::pi * uniform());
}

}  // namespace

std::vector<Shape> shapes(at::DeviceType device) {
  std::vector<Shape> out;
  if (device == at::DeviceType::CPU) {
    for (const auto dtype : {at::kFloat, at::kBFloat16}) {
      for (const auto input : {Input::kDense, Input::kNested}) {
        out.push_back({8, 8, 128, 512, dtype, input});
      }
    }
    return out;
  }
  out.push_back({128, 8, 512, 512, at::kHalf, Input::kDense});
  for (const auto dtype : {at::kBFloat16, at::kHalf, at::kFloat}) {
    for (const auto input : {Input::kDense, Input::kNested}) {
      out.push_back({256, 32, 256, 512, dtype, input});
    }
  }
  return out;
}

std::string stem_of(const Shape& shape) {
  return "attention/" + std::to_string(shape.batch) + "x" + std::to_string(shape.heads) + "x" +
         std::to_string(shape.length) + "x" + std::to_string(shape.width) + "/" +
         short_name(shape.dtype) + (shape.input == Input::kDense ? "" : "/nested");
}

std::optional<std::pair<Shape, std::string>> parse_key(const std::string& key) {
  static const std::string size = "(0|[1-9][0-9]{0,8})";  // with a leading zero, another key
  static const Pattern form("attention/" + size + "x" + size + "x" + size + "x" + size +
                            "/(\\w+)(/nested)?/([\\w*?!\\[\\]-]+)");
  const auto match = form.match(key);
  if (!match) {
    return std::nullopt;
  }
  const auto number = [&match](std::size_t group) { return std::stoll(match->at(group)); };
  const auto dtype = dtype_of(match->at(5));
  const Shape out = {number(1),
                     number(2),
                     number(3),
                     number(4),
                     dtype.value_or(at::kFloat),
                     match->at(6).empty() ? Input::kDense : Input::kNested};
  const auto require = [&key](bool holds, const std::string& rule) {
    if (!holds) {
      throw UsageError("no case can be made of \"" + key + "\"",
                       "write attention/BATCHxHEADSxLENGTHxWIDTH/DTYPE/IMPLEMENTATION; " + rule);
    }
  };
  constexpr std::int64_t kLargest = std::int64_t{1} << 20;
  const auto [smallest, largest] = std::minmax({out.batch, out.heads, out.length, out.width});
  require(smallest >= 1 && largest <= kLargest, "sizes are from 1 to 1048576");
  require(dtype.has_value(), "the dtype is fp16, bf16 or fp32");
  require(out.width % out.heads == 0, "the width is a multiple of the heads");
  return std::pair(out, match->at(7));
}

std::vector<std::int64_t> row_lengths(const Shape& shape) {
  std::vector<std::int64_t> out(static_cast<std::size_t>(shape.batch), shape.length);
  if (shape.input == Input::kDense) {
    return out;
  }
  std::mt19937 bits(kSeed);
  for (auto& length : out) {
    const double share = 1 - (kPadding + kPaddingDeviation * normal(bits));
    const auto wanted = static_cast<std::int64_t>(static_cast<double>(shape.length) * share);
    length = std::clamp<std::int64_t>(wanted, 1, shape.length);
  }
  out[bits() % out.size()] = shape.length;
  return out;
}

}  // namespace perfgate::attention
