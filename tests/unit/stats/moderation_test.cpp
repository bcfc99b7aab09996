// Reference values of the fit: limma's fitFDist formula evaluated with scipy 1.17.1
// (e = log s2 - digamma(d/2) + log(d/2); d0/2 = trigamma^-1(var(e) - mean(trigamma(d/2)));
// s02 = exp(mean(e) + digamma(d0/2) - log(d0/2))), the inverse by bisection.
#include "perfgate/stats/moderation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <stdexcept>
#include <vector>

namespace perfgate {
namespace {

using Variances = std::vector<SumOfSquares>;

SumOfSquares entry(double variance, double degrees) { return {variance * degrees, degrees}; }

/// Six cases with unequal degrees of freedom: scipy says d0 = 1.89867418307, s02
/// = 2.27250603097e-06.
Variances unequal() {
  return {entry(4e-6, 2),   entry(1e-6, 4),  entry(9e-6, 3),
          entry(2.5e-7, 4), entry(16e-6, 1), entry(2e-6, 6)};
}

/// Nearly equal ones: var(e) - mean(trigamma(2)) = -0.64, so no excess at all.
Variances alike() {
  return {entry(1e-6, 4), entry(1.05e-6, 4), entry(0.95e-6, 4), entry(1.1e-6, 4)};
}

TEST(Moderate, WeighsTheCaseAndItsClassByTheirDegrees) {
  // (2 x 9 + 4 x 3) / (2 + 4) = 5
  const ModeratedVariance got = moderate(entry(9, 2), {3, 4});
  EXPECT_DOUBLE_EQ(got.variance, 5);
  EXPECT_DOUBLE_EQ(got.degrees, 6);
}

TEST(Moderate, TakesTheOnlyOneThatKnowsAnything) {
  EXPECT_DOUBLE_EQ(moderate({}, {3, 4}).variance, 3);
  EXPECT_DOUBLE_EQ(moderate({}, {3, 4}).degrees, 4);
  EXPECT_DOUBLE_EQ(moderate(entry(9, 2), {}).variance, 9);
}

TEST(Moderate, RefusesWhenNeitherKnowsAnything) {
  EXPECT_THROW((void)moderate({}, {}), std::invalid_argument);
}

TEST(TrigammaInverse, InvertsTrigamma) {
  // scipy's polygamma(1, y); the ends lie beyond the two asymptotic branches, good to y and 1/y.
  EXPECT_NEAR(trigamma_inverse(401.532357342115) / 0.05, 1, 1e-9);
  EXPECT_NEAR(trigamma_inverse(4.93480220054468) / 0.5, 1, 1e-9);
  EXPECT_NEAR(trigamma_inverse(1.64493406684823), 1, 1e-9);
  EXPECT_NEAR(trigamma_inverse(0.490357756100235) / 2.5, 1, 1e-9);
  EXPECT_NEAR(trigamma_inverse(0.025315103841291) / 40, 1, 1e-9);
  EXPECT_NEAR(trigamma_inverse(1.00005000166667e-4) / 1e4, 1, 1e-9);
  EXPECT_NEAR(trigamma_inverse(1.00000005e-07) / 1e7, 1, 1e-6);
  EXPECT_NEAR(trigamma_inverse(100000001.644694) / 1e-4, 1, 1e-6);
}

TEST(TrigammaInverse, RefusesWhatTrigammaNeverIs) {
  EXPECT_THROW((void)trigamma_inverse(0), std::invalid_argument);
  EXPECT_THROW((void)trigamma_inverse(-1), std::invalid_argument);
  EXPECT_THROW((void)trigamma_inverse(std::nan("")), std::invalid_argument);
}

TEST(FitVariancePrior, AgreesWithLimmasFormula) {
  const VariancePrior got = fit_variance_prior(unequal(), 100);
  EXPECT_NEAR(got.degrees / 1.89867418307, 1, 1e-8);
  EXPECT_NEAR(got.variance / 2.27250603097e-06, 1, 1e-8);
}

TEST(FitVariancePrior, ClaimsTheCapWhenCasesDifferByChanceAlone) {
  const VariancePrior got = fit_variance_prior(alike(), 20);
  EXPECT_EQ(got.degrees, 20);
  EXPECT_NEAR(got.variance / 1.274727084e-06, 1, 1e-8);  // scipy, with d0 = 20
}

TEST(FitVariancePrior, NeverClaimsMoreThanTheCap) {
  EXPECT_EQ(fit_variance_prior(unequal(), 1.5).degrees, 1.5);
  EXPECT_LT(fit_variance_prior(unequal(), 1.9).degrees, 1.9);
}

TEST(FitVariancePrior, LeavesOutEntriesWithoutDegreesOrVariance) {
  const VariancePrior plain = fit_variance_prior(unequal(), 100);
  Variances variances = unequal();
  variances.push_back({});
  variances.push_back({0, 3});
  variances.push_back({1e-6, 0});
  const VariancePrior got = fit_variance_prior(variances, 100);
  EXPECT_EQ(got.degrees, plain.degrees);
  EXPECT_EQ(got.variance, plain.variance);
}

TEST(FitVariancePrior, RefusesFewerThanTwoUsableEntries) {
  EXPECT_THROW((void)fit_variance_prior(Variances{}, 20), std::invalid_argument);
  EXPECT_THROW((void)fit_variance_prior(Variances{entry(1e-6, 4), {0, 3}, {}}, 20),
               std::invalid_argument);
  EXPECT_NO_THROW((void)fit_variance_prior(Variances{entry(1e-6, 4), entry(2e-6, 4)}, 20));
}

TEST(FitVariancePrior, RecoversAKnownPriorFromManyCases) {
  constexpr double kVariance = 4e-6;
  constexpr double kDegrees = 8;
  std::mt19937_64 random(20261121);
  // sigma^2 ~ s02 d0 / chi^2(d0), then s^2 ~ sigma^2 chi^2(4) / 4.
  std::chi_squared_distribution<double> between(kDegrees);
  std::chi_squared_distribution<double> within(4);
  Variances variances;
  for (int i = 0; i < 4000; ++i) {
    const double true_variance = kVariance * kDegrees / between(random);
    variances.push_back({true_variance * within(random), 4});
  }
  const VariancePrior got = fit_variance_prior(variances, 1000);
  // 300 such fits in scipy spread by 0.61 in d0 and by 1.9 % in s02: four of these either way.
  EXPECT_NEAR(got.degrees, kDegrees, 2.5);
  EXPECT_NEAR(got.variance / kVariance, 1, 0.08);
}

}  // namespace
}  // namespace perfgate
