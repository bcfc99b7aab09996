#include "perfgate/stats/change_points.h"

#include <algorithm>
#include <cmath>

#include "perfgate/stats/descriptive.h"
#include "perfgate/stats/student_t.h"

namespace perfgate {
namespace {

constexpr std::size_t kShortestLevel = 3;
constexpr double kMedianOfNormal = 0.6745;  // of the absolute value, in standard deviations
constexpr double kEfficiency = 0.37;        // of the median absolute deviation, for a normal

// Standard deviation of a value, whatever the levels are.
double noise_of(std::span<const double> values) {
  std::vector<double> steps;
  for (std::size_t i = 1; i < values.size(); ++i) {
    steps.push_back(std::abs(values[i] - values[i - 1]));
  }
  return median(steps) / kMedianOfNormal / std::sqrt(2);
}

struct Split {
  std::size_t at = 0;
  double t = 0;
};

// Each value as the median of it and its neighbours: a step stays where it is, and a single value
// that is far out is gone.
std::vector<double> without_outliers(std::span<const double> values) {
  std::vector<double> out;
  for (std::size_t i = 0; i < values.size(); ++i) {
    out.push_back(median(values.subspan(std::clamp<std::size_t>(i, 1, values.size() - 2) - 1, 3)));
  }
  return out;
}

// The one that separates the two means most.
Split best_split(std::span<const double> values, double noise) {
  Split out;
  const double total = mean(values) * static_cast<double>(values.size());
  double left = 0;
  for (std::size_t at = 1; at < values.size(); ++at) {
    left += values[at - 1];
    if (at < kShortestLevel || values.size() - at < kShortestLevel) {
      continue;
    }
    const auto before = static_cast<double>(at);
    const auto behind = static_cast<double>(values.size() - at);
    const double t = std::abs(left / before - (total - left) / behind) /
                     (noise * std::sqrt(1 / before + 1 / behind));
    if (t > out.t) {
      out = {at, t};
    }
  }
  return out;
}

void add(std::span<const double> values, std::size_t offset, double noise, double limit,
         std::vector<std::size_t>& out) {
  if (values.size() < 2 * kShortestLevel) {
    return;
  }
  const Split split = best_split(values, noise);
  if (split.t <= limit) {
    return;
  }
  add(values.first(split.at), offset, noise, limit, out);
  out.push_back(offset + split.at);
  add(values.subspan(split.at), offset + split.at, noise, limit, out);
}

}  // namespace

std::vector<std::size_t> change_points(std::span<const double> values, double alpha) {
  std::vector<std::size_t> out;
  if (values.size() < 2 * kShortestLevel) {
    return out;
  }
  const double noise = noise_of(values);
  const auto splits = static_cast<double>(values.size() - 1);
  // Of either sign, and at any place (Bonferroni).
  const double limit =
      student_t_quantile(alpha / (2 * splits), std::max(1.0, kEfficiency * splits));
  if (noise > 0) {
    add(without_outliers(values), 0, noise, limit, out);
  }
  return out;
}

}  // namespace perfgate
