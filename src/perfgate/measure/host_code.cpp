// Built with -O2 whatever the build type (see CMakeLists.txt): what changed with the build would
// move every baseline.

#include "perfgate/measure/host_code.h"

#include <array>
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

class HostCode::Table {
 public:
  Table() {
    const auto all = functions(std::make_integer_sequence<std::int64_t, 16>());
    for (std::size_t i = 0; i < kCount; ++i) {
      // They begin alike, as the names of operators do.
      names_.push_back("control::operator_" + std::to_string(i * 7919 % 1000) + "_out.overload_" +
                       std::to_string(i));
      functions_[names_.back()] = all[i % all.size()];
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
    sink_ = sink_ + functions_.find(names_[number * 37 % kCount])->second(operands);
  }

 private:
  static constexpr std::size_t kCount = 256;
  std::vector<std::string> names_;
  std::map<std::string, Function> functions_;
  volatile std::int64_t sink_ = 0;
};

HostCode::HostCode() : table_(std::make_unique<Table>()) {}

HostCode::~HostCode() = default;

void HostCode::run(std::size_t calls) {
  for (std::size_t i = 0; i < calls; ++i) {
    table_->call(next_++);
  }
}

}  // namespace perfgate
