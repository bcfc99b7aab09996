// Built with -O2 whatever the build type (see CMakeLists.txt): a control that changed with the
// build would move every baseline.

#include "perfgate/measure/host_control.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace perfgate {
namespace {

struct Shape {
  std::vector<std::int64_t> sizes;
  std::vector<std::int64_t> strides;
};
using Operands = std::vector<std::shared_ptr<Shape>>;
using Function = std::int64_t (*)(const Operands&);

// Lays the operands out and counts their elements, each function in a way of its own.
template <std::int64_t seed>
std::int64_t lay_out(const Operands& operands) {
  std::int64_t out = seed;
  for (const auto& operand : operands) {
    std::int64_t stride = 1;
    for (std::size_t i = operand->sizes.size(); i-- > 0;) {
      operand->strides[i] = operand->sizes[i] == 1 ? 0 : stride;
      stride *= operand->sizes[i];
    }
    out = seed % 2 == 0 ? out + stride : out ^ (stride + seed);
    for (const auto size : operand->sizes) {
      out += size > seed ? size - seed : size;
    }
  }
  return out;
}

template <std::int64_t... seeds>
std::array<Function, sizeof...(seeds)> functions(
    std::integer_sequence<std::int64_t, seeds...> /*all*/) {
  return {&lay_out<seeds>...};
}

}  // namespace

class HostControl::Operators {
 public:
  Operators() {
    const auto all = functions(std::make_integer_sequence<std::int64_t, 16>());
    for (std::size_t i = 0; i < kCount; ++i) {
      // They begin alike, as the names of operators do.
      names_.push_back("control::operator_" + std::to_string(i * 7919 % 1000) + "_out.overload_" +
                       std::to_string(i));
      table_[names_.back()] = all[i % all.size()];
    }
  }

  void call(std::size_t number) {
    Operands operands;
    for (std::size_t i = 0; i < 3; ++i) {
      auto operand = std::make_shared<Shape>();
      operand->sizes = {64, number % 5 == i ? 1 : 512, static_cast<std::int64_t>(i) + 1};
      operand->strides.resize(operand->sizes.size());
      operands.push_back(std::move(operand));
    }
    sink_ = sink_ + table_.find(names_[number * 37 % kCount])->second(operands);
  }

 private:
  static constexpr std::size_t kCount = 256;
  std::vector<std::string> names_;
  std::map<std::string, Function> table_;
  volatile std::int64_t sink_ = 0;
};

HostControl::HostControl(Gpu& gpu) : gpu_(gpu), operators_(std::make_unique<Operators>()) {}

HostControl::~HostControl() = default;

Seconds HostControl::measure() {
  constexpr std::size_t kStandIns = 150;  // behind some thousand a launch would wait for the GPU
  constexpr std::size_t kCalls = 12;      // a stand-in: they take about as long as the launch
  gpu_.wait();
  const Seconds before = gpu_.now();
  for (std::size_t i = 0; i < kStandIns; ++i) {
    for (std::size_t k = 0; k < kCalls; ++k) {
      operators_->call(i * kCalls + k);
    }
    gpu_.empty_kernel();
  }
  const Seconds out = (gpu_.now() - before) / kStandIns;
  gpu_.wait();
  return out;
}

}  // namespace perfgate
