#include "perfgate/stats/descriptive.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
#include <stdexcept>
#include <vector>

namespace perfgate {
namespace {

std::vector<double> logs_of(std::span<const double> values) {
  std::vector<double> out;
  out.reserve(values.size());
  for (const double value : values) {
    if (!(value > 0)) {
      throw std::invalid_argument("the logarithm of a value that is not above 0");
    }
    out.push_back(std::log(value));
  }
  return out;
}

}  // namespace

double mean(std::span<const double> values) {
  if (values.empty()) {
    throw std::invalid_argument("the mean of no values");
  }
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double median(std::span<const double> values) {
  if (values.empty()) {
    throw std::invalid_argument("the median of no values");
  }
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  const std::size_t middle = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

double variance_of_median(std::size_t count) {
  if (count == 0) {
    throw std::invalid_argument("the median of no values");
  }
  constexpr std::array<double, 5> kExact = {1, 0.5, 0.4487, 0.2982, 0.2868};
  return count <= kExact.size() ? kExact.at(count - 1)
                                : std::numbers::pi / (2 * static_cast<double>(count));
}

double trimmed_mean(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  const std::size_t cut = std::max<std::size_t>(sorted.size() / 10, sorted.size() > 2 ? 1 : 0);
  return mean(std::span(sorted).subspan(cut, sorted.size() - 2 * cut));
}

double relative_interquartile_range(std::span<const double> values) {
  const double middle = median(values);
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  const std::size_t quarter = sorted.size() / 4;
  return (sorted[sorted.size() - 1 - quarter] - sorted[quarter]) / middle;
}

double mean_log(std::span<const double> values) { return mean(logs_of(values)); }

SumOfSquares deviations(std::span<const double> values) {
  if (values.empty()) {
    return {};
  }
  const double centre = mean(values);
  SumOfSquares out{0, static_cast<double>(values.size() - 1)};
  for (const double value : values) {
    out.sum += (value - centre) * (value - centre);
  }
  return out;
}

SumOfSquares log_deviations(std::span<const double> values) { return deviations(logs_of(values)); }

}  // namespace perfgate
