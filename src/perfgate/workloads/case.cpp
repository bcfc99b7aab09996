#include "perfgate/workloads/case.h"

#include <algorithm>

namespace perfgate {

Seconds expected_length(const Case& item, at::DeviceType device) {
  const bool cpu = device == at::DeviceType::CPU;
  const double bytes_per_s = cpu ? 8e9 : 4e12;
  const double operations_per_s = cpu ? 1.5e11 : 6e14;
  return Seconds(std::max(item.executed.bytes.count / bytes_per_s,
                          item.executed.operations.count / operations_per_s));
}

bool is_practical(const Case& item, at::DeviceType device) {
  constexpr double kTwoGib = 2147483648.0;
  return device != at::DeviceType::CPU ||
         (expected_length(item, device) < Seconds(0.5) && item.footprint.count < kTwoGib);
}

std::string to_string(Implementation implementation) {
  return implementation == Implementation::kEager ? "eager" : "compiled";
}

std::string short_name(at::ScalarType dtype) {
  switch (dtype) {
    case at::kChar:
      return "int8";
    case at::kBFloat16:
      return "bf16";
    case at::kHalf:
      return "fp16";
    case at::kFloat:
      return "fp32";
    default:
      throw std::invalid_argument("no case uses this dtype");
  }
}

std::string product_ceiling(at::ScalarType dtype) {
  return short_name(dtype) + (dtype == at::kChar ? "_gop_per_s" : "_gflop_per_s");
}

double size_of(at::ScalarType dtype) { return static_cast<double>(c10::elementSize(dtype)); }

}  // namespace perfgate
