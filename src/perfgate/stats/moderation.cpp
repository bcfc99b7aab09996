#include "perfgate/stats/moderation.h"

#include <algorithm>
#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/polygamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>
#include <cmath>
#include <stdexcept>
#include <vector>

namespace perfgate {

using boost::math::digamma;
using boost::math::trigamma;

ModeratedVariance moderate(const SumOfSquares& own, const VariancePrior& prior) {
  const double degrees = own.degrees + prior.degrees;
  if (!(degrees > 0)) {
    throw std::invalid_argument("neither the case nor its class has a degree of freedom");
  }
  return {(own.sum + prior.degrees * prior.variance) / degrees, degrees};
}

double trigamma_inverse(double x) {
  if (!(x > 0)) {
    throw std::invalid_argument("trigamma is positive: no inverse at or below 0");
  }
  if (x > 1e7) {
    return 1 / std::sqrt(x);
  }
  if (x < 1e-6) {
    return 1 / x;
  }
  double y = 0.5 + 1 / x;
  for (int iteration = 0; iteration < 50; ++iteration) {
    const double value = trigamma(y);
    const double step = value * (1 - value / x) / boost::math::polygamma(2, y);
    y += step;
    if (-step / y < 1e-10) {
      break;
    }
  }
  return y;
}

VariancePrior fit_variance_prior(std::span<const SumOfSquares> variances, double max_degrees) {
  std::vector<double> centred;   // log s^2, less its expectation around log s0^2
  std::vector<double> sampling;  // the part of its variance that sampling alone explains
  for (const auto& entry : variances) {
    if (entry.degrees > 0 && entry.sum > 0) {
      const double half = entry.degrees / 2;
      centred.push_back(std::log(entry.variance()) - digamma(half) + std::log(half));
      sampling.push_back(trigamma(half));
    }
  }
  if (centred.size() < 2) {
    throw std::invalid_argument("a prior needs at least two cases with repeated sessions");
  }
  const double centre = mean(centred);
  const double excess = deviations(centred).variance() - mean(sampling);
  // No excess: the cases' variances differ no more than chance, one variance serves them all.
  const double degrees =
      excess > 0 ? std::min(2 * trigamma_inverse(excess), max_degrees) : max_degrees;
  return {std::exp(centre + digamma(degrees / 2) - std::log(degrees / 2)), degrees};
}

}  // namespace perfgate
