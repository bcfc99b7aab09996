#include "perfgate/gate/priors.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "fixtures/history_fixture.h"

namespace perfgate {
namespace {

using testing_support::baseline_of;
using testing_support::kKey;
using testing_support::kMetric;
using testing_support::policy_with;

TEST(Priors, ComeFromThePolicyWhileTheFileHoldsTooFewRepeatedCases) {
  const auto steady = baseline_of({{"A", {100}}, {"A", {100}}, {"A", {100}}});
  const auto policy = policy_with({0.07 * 0.07, 4}, {1e-6, 100});
  EXPECT_DOUBLE_EQ(ClassPriors(steady, histories_of(steady, policy.clock), policy)
                       .session(kKey, kMetric)
                       .variance,
                   0.07 * 0.07);
}

TEST(Priors, AddWhatTheProcessesOfFewSessionsTellWhereThePolicySaysHowMuch) {
  const auto of_process = [](double log) { return 100 * std::exp(log); };
  const auto noisy = baseline_of({{"A", {of_process(-0.01), 100, of_process(0.01)}}});
  auto policy = policy_with({1e-4, 4}, {1e-6, 100});
  EXPECT_DOUBLE_EQ(
      ClassPriors(noisy, histories_of(noisy, policy.clock), policy).session(kKey, kMetric).variance,
      1e-4);
  for (auto& [name, one] : policy.classes) {
    one.process_multiple = 3;
  }
  EXPECT_NEAR(
      ClassPriors(noisy, histories_of(noisy, policy.clock), policy).session(kKey, kMetric).variance,
      1e-4 + 3 * variance_of_median(3) * 1e-4, 1e-9);
  EXPECT_EQ(
      ClassPriors(noisy, histories_of(noisy, policy.clock), policy).session(kKey, kMetric).degrees,
      4);
  const auto single = baseline_of({{"A", {100}}});
  EXPECT_DOUBLE_EQ(ClassPriors(single, histories_of(single, policy.clock), policy)
                       .session(kKey, kMetric)
                       .variance,
                   1e-4)
      << "one process tells nothing of how noisy they are";
}

class FittedPriors : public testing::Test {
 protected:
  // Three sessions of one device each, all of the same variance: s^2.
  void add_cases(const std::string& family, int count, double s,
                 Statistic statistic = Statistic::kMedian) {
    for (int i = 0; i < count; ++i) {
      auto one =
          baseline_of({{"A", {100 * std::exp(-s)}}, {"A", {100}}, {"A", {100 * std::exp(s)}}});
      one.cases[kKey].metrics[kMetric].statistic = statistic;
      baseline_.sessions = one.sessions;
      baseline_.cases[family + "/case" + std::to_string(i)] = one.cases[kKey];
    }
  }
  VariancePrior prior(const std::string& key) {
    const Policy policy = policy_with({0.25, 4}, {1e-6, 100});
    return ClassPriors(baseline_, histories_of(baseline_, policy.clock), policy)
        .session(key, kMetric);
  }
  // The likeliest of equal variances is their own.
  void expect(const std::string& key, double s) {
    EXPECT_NEAR(std::sqrt(prior(key).variance) / s, 1, 1e-4) << key;
  }

  Baseline baseline_;
};

TEST_F(FittedPriors, AreOfTheFamilyOnceTheFileCanTell) {
  add_cases("quiet", 8, 0.001);
  add_cases("loud", 8, 0.01);
  expect("quiet/case0", 0.001);
  expect("loud/case0", 0.01);
  EXPECT_LT(prior("loud/case0").degrees, 10) << "that eight are alike may be chance";
}

TEST_F(FittedPriors, AreOfTheWholeClassWhereTheFamilyIsSmall) {
  add_cases("large", 8, 0.01);
  add_cases("small", 7, 0.002);
  expect("large/case0", 0.01);
  const double pooled = std::sqrt(prior("small/case0").variance);
  EXPECT_GT(pooled, 0.0025);
  EXPECT_LT(pooled, 0.009);
}

TEST_F(FittedPriors, KeepTheBestOfASessionApartFromTheMean) {
  add_cases("both/mean", 8, 0.001);
  add_cases("both/best", 8, 0.01, Statistic::kBest);
  add_cases("small", 1, 0.01, Statistic::kBest);
  expect("both/mean/case0", 0.001);
  expect("both/best/case0", 0.01);
  expect("small/case0", 0.01);
}

TEST_F(FittedPriors, GoByWhatWorkersTellWhereThatExplainsTheFileBetter) {
  // Sessions as far apart as their workers are: from 0.01 to 0.1 %.
  for (int i = 0; i < 10; ++i) {
    const double s = 1e-4 * std::pow(10, i / 9.0);
    const auto session = [&](double level) {
      return std::vector{100 * std::exp(level - s), 100 * std::exp(level),
                         100 * std::exp(level + s)};
    };
    auto one = baseline_of({{"A", session(-s)}, {"A", session(0)}, {"A", session(s)}});
    baseline_.sessions = one.sessions;
    baseline_.cases["of_workers/case" + std::to_string(i)] = one.cases[kKey];
  }
  expect("of_workers/case0", 1e-4);
  expect("of_workers/case9", 1e-3);
  EXPECT_GT(prior("of_workers/case0").degrees, 3);

  // A case of one session, or whose workers happen to agree, is taken for a usual one.
  baseline_.cases["of_workers/once"] = baseline_of({{"A", {100, 100.001}}}).cases[kKey];
  baseline_.cases["of_workers/single"] =
      baseline_of({{"A", {100}}, {"A", {100}}, {"A", {100}}}).cases[kKey];
  for (const char* key : {"of_workers/once", "of_workers/single"}) {
    const double usual = std::sqrt(prior(key).variance);
    EXPECT_GT(usual, 2e-4) << key;
    EXPECT_LT(usual, 5e-4) << key;
  }
}

TEST_F(FittedPriors, DoNotWhereSessionsDifferAlikeHoweverNearTheirWorkersAre) {
  constexpr double kBetween = 1e-3;
  for (int i = 0; i < 10; ++i) {
    const double s = 1e-5 * std::pow(10, i / 9.0);
    const auto session = [&](double level) {
      return std::vector{100 * std::exp(level - s), 100 * std::exp(level),
                         100 * std::exp(level + s)};
    };
    auto one =
        baseline_of({{"A", session(-kBetween)}, {"A", session(0)}, {"A", session(kBetween)}});
    baseline_.sessions = one.sessions;
    baseline_.cases["alike/case" + std::to_string(i)] = one.cases[kKey];
  }
  expect("alike/case0", kBetween);
  expect("alike/case9", kBetween);
}

}  // namespace
}  // namespace perfgate
