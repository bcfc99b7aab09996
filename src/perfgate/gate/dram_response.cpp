#include "perfgate/gate/dram_response.h"

#include <algorithm>

namespace perfgate {
namespace {

// Sums over products of deviations from the mean of each revision.
struct WithinRevisions {
  double rate_rate = 0;
  double rate_value = 0;
  double value_value = 0;
  double degrees = 0;

  void add(const std::vector<DevicePoint>& devices) {
    if (devices.empty()) {
      return;
    }
    const auto count = static_cast<double>(devices.size());
    DevicePoint mean;
    for (const auto& device : devices) {
      mean.log_rate += device.log_rate / count;
      mean.value += device.value / count;
    }
    for (const auto& device : devices) {
      const double rate = device.log_rate - mean.log_rate;
      const double value = device.value - mean.value;
      rate_rate += rate * rate;
      rate_value += rate * value;
      value_value += value * value;
    }
    degrees += count - 1;
  }

  // Around a line of this slope, which cost `share` of a degree of freedom.
  [[nodiscard]] SumOfSquares around(double slope, double share) const {
    const double sum = value_value - 2 * slope * rate_value + slope * slope * rate_rate;
    return {std::max(0.0, sum), std::max(0.0, degrees - share)};
  }
};

}  // namespace

DramResponse fit_dram_response(const std::vector<std::vector<DevicePoint>>& revisions,
                               const DramPolicy& policy) {
  WithinRevisions within;
  for (const auto& devices : revisions) {
    within.add(devices);
  }
  constexpr int kRounds = 3;  // the first goes by the prior's variance
  const double prior_weight = 1 / (policy.slope_sd * policy.slope_sd);
  DramResponse out;
  out.remaining = {policy.device.variance, policy.device.degrees};
  for (int round = 0; round < kRounds; ++round) {
    const double seen_weight = within.rate_rate / out.remaining.variance;
    out.variance = 1 / (seen_weight + prior_weight);
    out.slope = within.rate_value / out.remaining.variance * out.variance;
    out.remaining = moderate(within.around(out.slope, seen_weight * out.variance), policy.device);
  }
  return out;
}

}  // namespace perfgate
