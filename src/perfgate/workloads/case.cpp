#include "perfgate/workloads/case.h"

#include <algorithm>

#include "perfgate/core/numbers.h"

namespace perfgate {

std::optional<Ceiling> ceiling_for(const Work& work) {
  if (const auto* ceiling = std::get_if<Ceiling>(&work.utilisation_of)) {
    return *ceiling;
  }
  if (std::holds_alternative<NoCeiling>(work.utilisation_of)) {
    return std::nullopt;
  }
  return work.traffic.bound == Bound::kMemory ? kDramRead : product_ceiling(at::kBFloat16);
}

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

std::optional<std::string> why_unsound(const Case& item) {
  constexpr double kMost = 1e18;  // bytes and operations; a day of the fastest machine
  const auto is_sound = [](double number) { return number >= 0 && number <= kMost; };
  const auto is_tolerance = [](const std::optional<double>& relative) {
    return !relative || (*relative > 0 && *relative <= kMost);
  };
  if (!is_sound(item.footprint.count)) {
    return "its footprint is negative, no number or beyond reason: correct Case::footprint";
  }
  if (item.shown.compared_with == item.key) {
    return "it is compared with itself: correct Presentation::compared_with";
  }
  for (const auto& [phase, work] : item.phases) {
    for (const auto* traffic : {&work.traffic, &work.executed}) {
      if (!is_sound(traffic->bytes.count) || !is_sound(traffic->operations.count)) {
        return prefix_of(phase) +
               "its bytes or operations are negative, no number or beyond reason: correct "
               "Work::traffic and Work::executed";
      }
    }
    bool are_tolerances = is_tolerance(work.tolerance) && is_sound(work.launches);
    for (const auto& metric : work.own_metrics) {
      are_tolerances = are_tolerances && is_tolerance(metric.tolerance);
    }
    if (!are_tolerances) {
      return prefix_of(phase) +
             "a tolerance is not above 0, or its launches are no number: correct its Work";
    }
  }
  return std::nullopt;
}

std::optional<std::string> why_impractical(const Case& item, at::DeviceType device) {
  constexpr double kTwoGib = 2147483648.0;
  constexpr Seconds kHalfASecond(0.5);
  if (device != at::DeviceType::CPU || item.may_be_large) {
    return std::nullopt;
  }
  const std::string mend = ": ask for less, or lift both limits with Case::may_be_large";
  if (item.footprint.count >= kTwoGib) {
    return "it declares a footprint of " + rounded_text(item.footprint.count / 1e9, 2) +
           " GB, and a case on a CPU is limited to 2.1 GB" + mend;
  }
  for (const auto& [phase, work] : item.phases) {
    const Seconds expected = expected_length(work, device);
    if (expected >= kHalfASecond) {
      return prefix_of(phase) + "a run of it is expected to take " +
             rounded_text(expected.count(), 2) +
             " s by Work::executed, and a case on a CPU is limited to 0.5 s" + mend;
    }
  }
  return std::nullopt;
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
