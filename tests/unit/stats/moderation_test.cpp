// Reference values of the fit: scipy 1.17.1, by Nelder-Mead to 1e-12 the largest sum of
// f.logpdf(s2 / s02, d, d0) - log s02, less 2 log(1 + d0 / 3).
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

/// Six cases with unequal degrees of freedom.
Variances unequal() {
  return {entry(4e-6, 2),   entry(1e-6, 4),  entry(9e-6, 3),
          entry(2.5e-7, 4), entry(16e-6, 1), entry(2e-6, 6)};
}

/// Nearer to each other than chance alone would have them.
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

TEST(FitVariancePrior, IsTheLikeliest) {
  const VariancePrior got = fit_variance_prior(unequal(), 100).prior;
  EXPECT_NEAR(got.degrees / 1.61345706194, 1, 1e-4);
  EXPECT_NEAR(got.variance / 1.74686461783e-06, 1, 1e-4);
}

TEST(FitVariancePrior, LearnsLittleFromAVarianceThatIsNearZeroByChance) {
  Variances variances;
  for (int i = 0; i < 20; ++i) {
    variances.push_back(entry(1e-6 * (1 + 0.2 * (i % 5)), 6));
  }
  const VariancePrior before = fit_variance_prior(variances, 100).prior;
  variances.push_back(entry(1e-12, 1));
  const VariancePrior after = fit_variance_prior(variances, 100).prior;
  EXPECT_NEAR(after.variance / before.variance, 1, 0.05);
  EXPECT_GT(after.degrees, 0.5 * before.degrees) << "moments of the logs would say about 1";
}

TEST(FitVariancePrior, ClaimsTheCapWhenManyCasesDifferByChanceAlone) {
  const Variances many(40, entry(1e-6, 2));
  const VariancePrior got = fit_variance_prior(many, 20).prior;
  EXPECT_EQ(got.degrees, 20);
  EXPECT_NEAR(got.variance / 1e-6, 1, 1e-4);  // the likeliest of equal ones is their own
}

TEST(FitVariancePrior, DoesNotTrustThatAFewAreAlike) {
  const VariancePrior got = fit_variance_prior(alike(), 20).prior;
  EXPECT_NEAR(got.degrees / 3.91608566032, 1, 1e-4);
  EXPECT_NEAR(got.variance / 1.02345755085e-06, 1, 1e-4);
}

TEST(FitVariancePrior, NeverClaimsMoreThanTheCap) {
  EXPECT_EQ(fit_variance_prior(unequal(), 1.5).prior.degrees, 1.5);
  EXPECT_LT(fit_variance_prior(unequal(), 1.7).prior.degrees, 1.7);
  EXPECT_THROW((void)fit_variance_prior(unequal(), 0.05), std::invalid_argument);
}

TEST(FitVariancePrior, LeavesOutEntriesWithoutDegreesOrVariance) {
  const VariancePrior plain = fit_variance_prior(unequal(), 100).prior;
  Variances variances = unequal();
  variances.push_back({});
  variances.push_back({0, 3});
  variances.push_back({1e-6, 0});
  const VariancePrior got = fit_variance_prior(variances, 100).prior;
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
  const VariancePrior got = fit_variance_prior(variances, 1000).prior;
  // 60 such fits in scipy spread by 0.47 in d0 and by 1.6 % in s02: four of these either way.
  EXPECT_NEAR(got.degrees, kDegrees, 1.9);
  EXPECT_NEAR(got.variance / kVariance, 1, 0.065);
}

}  // namespace
}  // namespace perfgate
