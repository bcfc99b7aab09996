#pragma once
// Count, mean and sum of squared deviations: all that a variance needs of values that are not kept.

#include <span>

#include "perfgate/stats/descriptive.h"

namespace perfgate {

struct Moments {
  double count = 0;
  double mean = 0;
  double squares = 0;  ///< of the deviations from the mean, summed

  /// As if the values of both had been counted at once (T. F. Chan, G. H. Golub, R. J. LeVeque,
  /// "Updating formulae and a pairwise algorithm for computing sample variances", Stanford
  /// STAN-CS-79-773, 1979).
  Moments& operator+=(const Moments& other);

  /// With its degrees of freedom: one less than values, none where there is no value.
  [[nodiscard]] SumOfSquares deviations() const;
};

/// None where `values` is empty.
Moments moments_of(std::span<const double> values);

}  // namespace perfgate
