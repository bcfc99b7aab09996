#include "perfgate/workloads/case.h"

#include <algorithm>
#include <locale>
#include <sstream>

namespace perfgate {

Seconds expected_length(const Work& work, at::DeviceType device) {
  const bool cpu = device == at::DeviceType::CPU;
  const double bytes_per_s = cpu ? 8e9 : 4e12;
  const double operations_per_s = cpu ? 1.5e11 : 6e14;
  const Seconds work_itself(std::max(work.executed.bytes.count / bytes_per_s,
                                     work.executed.operations.count / operations_per_s));
  // What it takes to call an operator on a CPU, and to queue a GPU's kernel while others run.
  const Seconds a_launch(cpu ? 5e-6 : 8e-6);
  const Seconds launching = work.launches * a_launch;
  return cpu ? work_itself + launching : std::max(work_itself, launching);
}

std::optional<std::string> why_impractical(const Case& item, at::DeviceType device) {
  constexpr double kTwoGib = 2147483648.0;
  constexpr Seconds kHalfASecond(0.5);
  if (device != at::DeviceType::CPU || item.may_be_large) {
    return std::nullopt;
  }
  std::ostringstream out;
  out.imbue(std::locale::classic());
  out.precision(2);
  if (item.footprint.count >= kTwoGib) {
    out << "it declares a footprint of " << item.footprint.count / 1e9
        << " GB, and a case on a CPU is limited to 2.1 GB";
  }
  for (const auto& [phase, work] : item.phases) {
    const Seconds expected = expected_length(work, device);
    if (expected >= kHalfASecond && out.tellp() == 0) {
      out << prefix_of(phase) << "a run of it is expected to take " << expected.count()
          << " s by Work::executed, and a case on a CPU is limited to 0.5 s";
    }
  }
  if (out.tellp() == 0) {
    return std::nullopt;
  }
  out << ": ask for less, or lift both limits with Case::may_be_large";
  return out.str();
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
    case at::kDouble:
      return "fp64";
    default:
      throw std::invalid_argument("no case uses this dtype");
  }
}

Ceiling product_ceiling(at::ScalarType dtype) {
  return {short_name(dtype), dtype == at::kChar ? Unit::kGopPerS : Unit::kGflopPerS};
}

double size_of(at::ScalarType dtype) { return static_cast<double>(c10::elementSize(dtype)); }

}  // namespace perfgate
