#include "perfgate/stats/moderation.h"

#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <cmath>
#include <iterator>
#include <stdexcept>
#include <utility>
#include <vector>

namespace perfgate {
namespace {

constexpr double kFewestDegrees = 0.1;

// Of the variances under Smyth's model, in which s^2 / s0^2 follows F with the case's own and the
// prior's degrees of freedom; less the terms in s^2 alone.
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

// What few cases have in common may be chance: without this, eight cases of two degrees claim
// ten and more where there are three, and raise forty times the alarms that they may.
double log_penalty(double log_degrees) {
  constexpr double kUsualDegrees = 3;
  return -2 * std::log1p(std::exp(log_degrees) / kUsualDegrees);
}

// Where `function`, which has one maximum between the two, is largest, and how large.
template <class Function>
std::pair<double, double> maximum(const Function& function, double from, double to) {
  constexpr int kBits = 26;  // half a double's, as good as a minimum can be found
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

PriorFit fit_variance_prior(std::span<const SumOfSquares> variances, double max_degrees) {
  std::vector<SumOfSquares> usable;
  std::copy_if(variances.begin(), variances.end(), std::back_inserter(usable),
               [](const SumOfSquares& entry) { return entry.degrees > 0 && entry.sum > 0; });
  if (usable.size() < 2) {
    throw std::invalid_argument("a prior needs at least two cases with repeated sessions");
  }
  if (max_degrees < kFewestDegrees) {
    throw std::invalid_argument("a prior of less than a tenth of a degree says nothing");
  }
  const auto [least, most] = std::minmax_element(
      usable.begin(), usable.end(),
      [](const SumOfSquares& a, const SumOfSquares& b) { return a.variance() < b.variance(); });
  const double from = std::log(least->variance());
  const double to = std::log(most->variance());
  const auto of_degrees = [&](double log_degrees) {
    const auto [log_variance, likelihood] =
        maximum([&](double x) { return log_likelihood(usable, x, log_degrees); }, from, to);
    return std::pair(log_variance, likelihood + log_penalty(log_degrees));
  };
  // In degrees there may be two maxima: so the best of a coarse grid is refined between its
  // neighbours.
  constexpr int kSteps = 24;
  const double lowest = std::log(kFewestDegrees);
  const double step = (std::log(max_degrees) - lowest) / kSteps;
  int best = 0;
  double best_value = of_degrees(lowest).second;
  for (int i = 1; i <= kSteps; ++i) {
    const double value = of_degrees(lowest + i * step).second;
    if (value > best_value) {
      best = i;
      best_value = value;
    }
  }
  const auto [log_degrees, value] =
      maximum([&](double x) { return of_degrees(x).second; }, lowest + std::max(0, best - 1) * step,
              lowest + std::min(kSteps, best + 1) * step);
  if (value <= best_value) {  // at an end, which Brent's method only comes near to
    return {{std::exp(of_degrees(lowest + best * step).first),
             best == kSteps ? max_degrees : std::exp(lowest + best * step)},
            best_value};
  }
  return {{std::exp(of_degrees(log_degrees).first), std::exp(log_degrees)}, value};
}

}  // namespace perfgate
