#pragma once
// Means, medians and pooled variances of small samples.

#include <cstddef>
#include <span>

namespace perfgate {

/// Throws std::invalid_argument when empty.
double mean(std::span<const double> values);

/// The middle value, or the mean of the two middle ones. Throws std::invalid_argument when empty.
double median(std::span<const double> values);

/// The variance of the median of `count` normal values, in variances of one of them. Exact to four
/// digits up to five (D. Teichroew, "Tables of expected values of order statistics", Ann. Math.
/// Stat. 27(2), 1956), beyond that pi / (2 n), its limit. Throws std::invalid_argument when 0.
double variance_of_median(std::size_t count);

/// Mean without the tenth at either end (rounded down, but one of three or more): nearly as robust
/// as the median, and where values are multiples of a clock's tick, finer than a tick. Throws
/// std::invalid_argument when empty.
double trimmed_mean(std::span<const double> values);

/// The interquartile range (of two or three values: the whole range), relative to the median, which
/// is not 0: unlike a CV it does not care for a few outliers. Throws std::invalid_argument when
/// empty.
double relative_interquartile_range(std::span<const double> values);

/// Mean of the natural logarithms. Throws std::invalid_argument when empty or not all positive.
double mean_log(std::span<const double> values);

/// A sum of squared deviations with its degrees of freedom: variances that can still be pooled.
struct SumOfSquares {
  double sum = 0;
  double degrees = 0;

  SumOfSquares& operator+=(const SumOfSquares& other) {
    sum += other.sum;
    degrees += other.degrees;
    return *this;
  }
  /// Unbiased variance; 0 when there is no degree of freedom.
  [[nodiscard]] double variance() const { return degrees > 0 ? sum / degrees : 0; }
};

/// Squared deviations from the values' own mean: n - 1 degrees of freedom, none when empty.
SumOfSquares deviations(std::span<const double> values);

/// The same of the natural logarithms: to first order, of the relative differences. Throws
/// std::invalid_argument when not all are positive.
SumOfSquares log_deviations(std::span<const double> values);

}  // namespace perfgate
