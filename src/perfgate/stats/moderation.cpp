#include "perfgate/stats/moderation.h"

#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <cmath>
#include <stdexcept>
#include <vector>

namespace perfgate {
namespace {

// Of the variances under Smyth's model, in which s^2 / s0^2 follows F with the case's own and the
// prior's degrees of freedom; less what depends on neither s0 nor d0.
double log_likelihood(const std::vector<SumOfSquares>& variances, double log_variance,
                      double log_degrees) {
  const double prior_half = std::exp(log_degrees) / 2;
  double out = 0;
  for (const auto& entry : variances) {
    const double half = entry.degrees / 2;
    const double ratio = half / prior_half * entry.variance() / std::exp(log_variance);
    out += std::lgamma(half + prior_half) - std::lgamma(half) - std::lgamma(prior_half) +
           half * std::log(ratio) - (half + prior_half) * std::log1p(ratio);
  }
  return out;
}

// Where `function` is largest between the two, and how large.
template <class Function>
std::pair<double, double> maximum(const Function& function, double from, double to) {
  constexpr int kBits = 30;
  const auto [where, negative] = boost::math::tools::brent_find_minima(
      [&](double x) { return -function(x); }, from, to, kBits);
  return {where, -negative};
}

}  // namespace

ModeratedVariance moderate(const SumOfSquares& own, const VariancePrior& prior) {
  const double degrees = own.degrees + prior.degrees;
  if (!(degrees > 0)) {
    throw std::invalid_argument("neither the case nor its class has a degree of freedom");
  }
  return {(own.sum + prior.degrees * prior.variance) / degrees, degrees};
}

VariancePrior fit_variance_prior(std::span<const SumOfSquares> variances, double max_degrees) {
  std::vector<SumOfSquares> usable;
  std::copy_if(variances.begin(), variances.end(), std::back_inserter(usable),
               [](const SumOfSquares& entry) { return entry.degrees > 0 && entry.sum > 0; });
  if (usable.size() < 2) {
    throw std::invalid_argument("a prior needs at least two cases with repeated sessions");
  }
  const auto [least, most] = std::minmax_element(
      usable.begin(), usable.end(),
      [](const SumOfSquares& a, const SumOfSquares& b) { return a.variance() < b.variance(); });
  const double from = std::log(least->variance());
  const double to = std::log(most->variance());
  const auto best_variance = [&](double log_degrees) {
    return maximum([&](double x) { return log_likelihood(usable, x, log_degrees); }, from, to);
  };
  constexpr double kFewestDegrees = 0.1;
  const double cap = std::log(max_degrees);
  const auto [log_degrees, likelihood] =
      maximum([&](double x) { return best_variance(x).second; }, std::log(kFewestDegrees), cap);
  // Cases that differ by chance alone become likelier with every degree.
  if (best_variance(cap).second >= likelihood) {
    return {std::exp(best_variance(cap).first), max_degrees};
  }
  return {std::exp(best_variance(log_degrees).first), std::exp(log_degrees)};
}

}  // namespace perfgate
