#include "perfgate/stats/moments.h"

#include <algorithm>

namespace perfgate {

Moments& Moments::operator+=(const Moments& other) {
  const double total = count + other.count;
  if (total == 0) {
    return *this;
  }
  const double distance = other.mean - mean;
  squares += other.squares + distance * distance * count * other.count / total;
  mean += distance * other.count / total;
  count = total;
  return *this;
}

SumOfSquares Moments::deviations() const { return {squares, std::max(0.0, count - 1)}; }

Moments moments_of(std::span<const double> values) {
  if (values.empty()) {
    return {};
  }
  return {static_cast<double>(values.size()), mean(values), deviations(values).sum};
}

}  // namespace perfgate
