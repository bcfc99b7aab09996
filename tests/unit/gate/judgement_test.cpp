// The judge against hand-computed answers. A prior with 1e9 degrees of freedom makes the variance
// exactly known and Student's t the normal, so that every expectation is pencil and paper:
// z(0.01) = 2.326348.

#include "perfgate/gate/judgement.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "fixtures/history_fixture.h"
#include "perfgate/core/errors.h"

namespace perfgate {
namespace {

using testing_support::add_revision;
using testing_support::baseline_of;
using testing_support::kKey;
using testing_support::kMetric;
using testing_support::SessionSpec;

constexpr double kCertain = 1e9;

Policy policy_with(double session_cv, double degrees, double device_cv = 0.01,
                   double device_degrees = kCertain) {
  return testing_support::policy_with({session_cv * session_cv, degrees},
                                      {device_cv * device_cv, device_degrees});
}

Judgement judged(const Baseline& baseline, const Policy& policy,
                 const std::vector<double>& measurements, const std::string& device_id = "A") {
  const Judge judge(baseline, policy);
  const Metric metric = baseline.cases.at(kKey).metrics.begin()->first;
  return judgement_of(judge, kKey, metric, {{metric, measurements}}, device_id);
}

// Four sessions of 100 us on device A: the reference is exactly 100.
Baseline steady() { return baseline_of({{"A", {100}}, {"A", {100}}, {"A", {100}}, {"A", {100}}}); }

TEST(Judge, FailsOnlyWhenSlowerThanToleranceAndNoise) {
  // SE = 0.01 sqrt(1 + 1/4) = 0.0111803, q SE = 0.0260093 > log 1.02: a change of 2.6353 % decides.
  const auto policy = policy_with(0.01, kCertain);
  EXPECT_EQ(judged(steady(), policy, {102.60}).verdict, Verdict::kPass);
  EXPECT_EQ(judged(steady(), policy, {102.67}).verdict, Verdict::kRegressed);
  EXPECT_NEAR(judged(steady(), policy, {102.60}).threshold, std::expm1(0.0260093), 1e-6);
}

TEST(Judge, IgnoresWhatTheToleranceAllowsHoweverCertain) {
  const auto policy = policy_with(1e-5, kCertain);
  EXPECT_EQ(judged(steady(), policy, {101.99}).verdict, Verdict::kPass);
  EXPECT_EQ(judged(steady(), policy, {102.01}).verdict, Verdict::kRegressed);
}

TEST(Judge, ACasesOwnToleranceOverridesThePolicys) {
  auto baseline = steady();
  baseline.cases[kKey].metrics[kMetric].tolerance = 0.10;
  const auto policy = policy_with(1e-5, kCertain);
  EXPECT_EQ(judged(baseline, policy, {109}).verdict, Verdict::kPass);
  EXPECT_EQ(judged(baseline, policy, {111}).verdict, Verdict::kRegressed);
}

TEST(Judge, TakesNoChangeForNoiseThatIsLargerThanNoiseMayBe) {
  // One session of a machine whose sessions vary by 30 %: q SE = 0.987 = log 2.68.
  const auto once = baseline_of({{"A", {100}}});
  auto policy = policy_with(0.3, kCertain);
  EXPECT_EQ(judged(once, policy, {260}).verdict, Verdict::kPass);
  policy.machine["cuda"].largest_noise = 1.5;
  const auto found = judged(once, policy, {251});
  EXPECT_EQ(found.verdict, Verdict::kRegressed);
  EXPECT_GT(found.p_value, found.alpha);
  EXPECT_NEAR(found.threshold, 1.5, 1e-9);
  EXPECT_NEAR(found.mde, 2.5 * 2.5 - 1, 1e-9) << "nor does noise hide more than that";
  EXPECT_EQ(judged(once, policy, {249}).verdict, Verdict::kPass);
  EXPECT_EQ(judged(once, policy, {100 / 2.51}).verdict, Verdict::kImproved);
}

TEST(Judge, TellsNoChangeThatNoFileCanHold) {
  const auto policy = policy_with(0.01, kCertain);
  for (const double now : {1e-320, 1e-30, 1e30, 1e308}) {
    const auto found = judged(steady(), policy, {now});
    EXPECT_EQ(found.verdict, now > 1 ? Verdict::kRegressed : Verdict::kImproved) << now;
    EXPECT_NEAR(std::abs(std::log1p(found.change)), std::log1p(1e6), 1e-6)
        << "its log is finite in both directions";
    for (const double value : {found.half_width, found.mde, found.threshold, found.p_value}) {
      EXPECT_TRUE(std::isfinite(value)) << now;
    }
  }
}

TEST(Judge, RefusesWhatIsNoNumberAndNamesTheCase) {
  const auto policy = policy_with(0.01, kCertain);
  for (const double now : {std::nan(""), HUGE_VAL, 0.0}) {
    try {
      judged(steady(), policy, {now});
      ADD_FAILURE() << now;
    } catch (const SystemError& error) {
      EXPECT_NE(std::string(error.what()).find(kKey), std::string::npos) << error.what();
    }
  }
}

TEST(Judge, CallsTheMirrorImageAnImprovement) {
  const auto policy = policy_with(0.01, kCertain);
  EXPECT_EQ(judged(steady(), policy, {100 / 1.0267}).verdict, Verdict::kImproved);
  EXPECT_EQ(judged(steady(), policy, {100 / 1.0260}).verdict, Verdict::kPass);
}

TEST(Judge, TakesSmallerAsSlowerWhereHigherIsBetter) {
  const auto baseline = baseline_of({{"A", {0.5}}, {"A", {0.5}}, {"A", {0.5}}}, kUtilisation);
  const auto policy = policy_with(0.001, kCertain);
  const auto slower = judged(baseline, policy, {0.4});
  EXPECT_EQ(slower.verdict, Verdict::kRegressed);
  EXPECT_NEAR(slower.change, 0.25, 1e-9);  // 0.5 / 0.4 = 1.25
  EXPECT_NEAR(slower.now, 0.4, 1e-12);
  EXPECT_NEAR(slower.before, 0.5, 1e-12);
  EXPECT_EQ(judged(baseline, policy, {0.6}).verdict, Verdict::kImproved);
}

TEST(Judge, SaysWhatItCouldHaveSeen) {
  // MDE = max(log 1.02, 0.0260093) + 2.326348 * 0.0111803 = 0.0520186
  EXPECT_NEAR(judged(steady(), policy_with(0.01, kCertain), {100}).mde, std::expm1(0.0520186),
              1e-6);
}

TEST(Judge, SaysFiniteMeasurementsHoweverLittleIsKnown) {
  // A thousandth of a degree of freedom: no double holds the quantiles.
  for (const double degrees : {0.1, 0.001}) {
    SCOPED_TRACE(degrees);
    const auto policy = policy_with(0.3, degrees);
    const auto judgement = judged(baseline_of({{"A", {100}}}), policy, {400});
    EXPECT_EQ(judgement.threshold, 1e6);
    EXPECT_EQ(judgement.mde, 1e6);
    EXPECT_LE(judgement.half_width, 1e6);
    // Not even a change beyond what can be said is one: noise explains it.
    EXPECT_EQ(judged(baseline_of({{"A", {100}}}), policy, {1e10}).verdict, Verdict::kPass);
    EXPECT_EQ(judged(baseline_of({{"A", {100}}}), policy, {1e-6}).verdict, Verdict::kPass);
  }
}

TEST(Judge, CatchesASlowdownOfTheMdeInNinetyNineOfAHundredNights) {
  const double sigma = 0.01;
  const auto policy = policy_with(sigma, kCertain);
  std::mt19937_64 random(7);
  std::normal_distribution<double> noise(0, sigma);
  const double mde = std::log1p(judged(steady(), policy, {100}).mde);
  int caught = 0;
  int false_alarms = 0;
  constexpr int kNights = 4000;
  for (int night = 0; night < kNights; ++night) {
    // The reference is a mean of four noisy sessions as well.
    const double reference_error =
        (noise(random) + noise(random) + noise(random) + noise(random)) / 4;
    const double quiet = 100 * std::exp(noise(random) - reference_error);
    false_alarms += judged(steady(), policy, {quiet}).verdict == Verdict::kRegressed ? 1 : 0;
    caught +=
        judged(steady(), policy, {quiet * std::exp(mde)}).verdict == Verdict::kRegressed ? 1 : 0;
  }
  // Binomial standard deviation at 1 % of 4000 is 6.3: four of them either way.
  EXPECT_NEAR(caught, 0.99 * kNights, 26);
  EXPECT_NEAR(false_alarms, 0.01 * kNights, 26);
}

TEST(Judge, SharesTheFalseAlarmBudgetAmongAllJudgedMetricsOfTheFileAndTheirGroups) {
  auto baseline = steady();
  EXPECT_DOUBLE_EQ(judged(baseline, policy_with(0.01, kCertain), {100}).alpha, 0.01);
  for (int i = 0; i < 9; ++i) {
    baseline.cases["other/case" + std::to_string(i)] = baseline.cases[kKey];
  }
  const auto judgement = judged(baseline, policy_with(0.01, kCertain), {100});
  EXPECT_DOUBLE_EQ(judgement.alpha, 0.01 / 11);  // nine cases of "other" are judged together, too
  // z(0.01 / 11) = 3.118429; 3.118429 * 0.0111803 = 0.0348650
  EXPECT_NEAR(judgement.threshold, std::expm1(0.0348650), 1e-6);
}

TEST(Judge, TakesTheMedianOfTheWorkersInLogs) {
  const auto judgement = judged(steady(), policy_with(0.01, kCertain), {90, 1000, 100, 101, 1});
  EXPECT_NEAR(judgement.now, 100, 1e-9);
  EXPECT_NEAR(judged(steady(), policy_with(0.01, kCertain), {50, 200}).change, 0, 1e-12);
}

TEST(Judge, DrawsTheCasesOwnVarianceTowardItsClass) {
  // Own: logs -s, 0, +s with s = 0.02: SS = 8e-4, 2 degrees. Prior: 1e-4 with 6.
  // w^2 = (8e-4 + 6e-4) / 8 = 1.75e-4, SE = sqrt(1.75e-4 * 4/3) = 0.0152753.
  // t(0.01, 8) = 2.896459 (tables): threshold 0.0442443.
  const double s = 0.02;
  const auto baseline =
      baseline_of({{"A", {100 * std::exp(-s)}}, {"A", {100}}, {"A", {100 * std::exp(s)}}});
  const auto judgement = judged(baseline, policy_with(0.01, 6), {100});
  EXPECT_NEAR(judgement.threshold, std::expm1(0.0442443), 1e-6);
}

TEST(Judge, NeverBelievesSessionsToBeSteadierThanTheirWorkersAllow) {
  // Workers at +-10 % (logs): variance within a session 2 * 0.01 / 1 = 0.02, over 2 workers 0.01.
  const double low = 100 * std::exp(-0.1);
  const double high = 100 * std::exp(0.1);
  const auto loud = baseline_of({{"A", {low, high}}, {"A", {low, high}}, {"A", {low, high}}});
  // SE = sqrt(0.01 * 4/3) = 0.1154701; q SE = 0.2686236
  EXPECT_NEAR(judged(loud, policy_with(1e-4, kCertain), {100}).threshold, std::expm1(0.2686236),
              1e-5);
  const auto quiet = baseline_of({{"A", {100, 100}}, {"A", {100, 100}}, {"A", {100, 100}}});
  EXPECT_NEAR(judged(quiet, policy_with(1e-4, kCertain), {100}).threshold, 0.02, 1e-9);
}

// With the spread of tonight's processes in the standard error, k slow ones of five gave
// t <= 2 k / sqrt(k (5 - k)), 4 at most, and the least quantile is 4.4.
TEST(Judge, FindsASlowdownThatSparesOneOrTwoOfFiveProcesses) {
  const auto policy = policy_with(0.01, kCertain);
  for (const double slow : {110.0, 200.0, 1000.0}) {
    SCOPED_TRACE(slow);
    const auto verdict_of = [&](const std::vector<double>& measurements) {
      return judged(steady(), policy, measurements).verdict;
    };
    EXPECT_EQ(verdict_of({slow, slow, slow, slow, 100}), Verdict::kRegressed);
    EXPECT_EQ(verdict_of({slow, 100, slow, slow, 100}), Verdict::kRegressed);
  }
}

TEST(Judge, CallsProcessesThatDisagreeUnsteady) {
  const auto policy = policy_with(0.01, kCertain);
  // No session of several processes is recorded: up to the policy's 50 % for groups it knows little
  // of.
  const auto unsteady = judged(steady(), policy, {100, 160, 100, 101, 100});
  EXPECT_EQ(unsteady.verdict, Verdict::kUnsteady);
  EXPECT_NEAR(unsteady.spread, 0.6, 1e-9);
  EXPECT_NEAR(unsteady.spread_limit, 0.5, 1e-9);
  EXPECT_NEAR(unsteady.change, 0, 1e-9);
  EXPECT_EQ(judged(steady(), policy, {100, 140, 100, 101, 100}).verdict, Verdict::kPass);
  EXPECT_EQ(judged(steady(), policy, {100, 50, 100, 101, 100}).verdict, Verdict::kPass);
}

TEST(Judge, PrefersRegressedToUnsteadyAndUnsteadyToImproved) {
  const auto policy = policy_with(0.01, kCertain);
  EXPECT_EQ(judged(steady(), policy, {120, 120, 120, 400, 120}).verdict, Verdict::kRegressed);
  EXPECT_EQ(judged(steady(), policy, {80, 80, 80, 400, 80}).verdict, Verdict::kUnsteady);
}

TEST(Judge, ComparesAKnownDeviceWithItselfAlone) {
  const auto baseline = baseline_of({{"A", {100}}, {"A", {100}}, {"A", {100}}, {"B", {120}}});
  const auto judgement = judged(baseline, policy_with(0.001, kCertain), {100}, "A");
  EXPECT_TRUE(judgement.known_device);
  EXPECT_EQ(judgement.sessions, 3);
  EXPECT_NEAR(judgement.change, 0, 1e-12);
}

TEST(Judge, ComparesADeviceWithItsOwnSessionsHoweverFew) {
  const auto baseline = baseline_of({{"A", {100}}, {"B", {120}}, {"B", {120}}});
  const auto judgement = judged(baseline, policy_with(0.001, kCertain), {100}, "A");
  EXPECT_TRUE(judgement.known_device);
  EXPECT_EQ(judgement.sessions, 1);
  EXPECT_NEAR(judgement.change, 0, 1e-12);
}

TEST(Judge, CombinesDegreesOfFreedomBySatterthwaite) {
  // Sessions: variance 1e-4, 10 degrees, factor 1 + 1/1; one device: 1e-4, 4 degrees, factor 2.
  // Both parts 2e-4; degrees = (4e-4)^2 / (4e-8/10 + 4e-8/4) = 11.428571; SE = 0.02.
  // t(0.01, 11.428571) = 2.701594 (scipy): q SE = 0.0540319
  const auto baseline = baseline_of({{"A", {100}}});
  const auto judgement = judged(baseline, policy_with(0.01, 10, 0.01, 4), {100}, "Z");
  EXPECT_NEAR(judgement.threshold, std::expm1(0.0540319), 2e-5);
}

TEST(Judge, KeepsTheReferenceFrozenAfterFiveSessions) {
  std::vector<SessionSpec> sessions(5, {"A", {100}});
  sessions.push_back({"A", {200}});
  const auto judgement = judged(baseline_of(sessions), policy_with(0.01, kCertain), {100});
  EXPECT_NEAR(judgement.before, 100, 1e-9);
  EXPECT_EQ(judgement.sessions, 5);
}

TEST(Judge, LetsLaterSessionsTellOfTheNoise) {
  std::vector<SessionSpec> sessions(5, {"A", {100}});
  const double quiet = judged(baseline_of(sessions), policy_with(0.001, 4), {100}).threshold;
  sessions.push_back({"A", {120}});
  EXPECT_GT(judged(baseline_of(sessions), policy_with(0.001, 4), {100}).threshold, 2 * quiet);
}

TEST(Judge, CatchesASlowDriftThatEveryRefreshTriesToHide) {
  // 0.5 % slower a session, each recorded as unchanged: a moving mean would follow for ever.
  std::vector<SessionSpec> sessions;
  int caught_at = 0;
  for (int session = 0; session < 20 && caught_at == 0; ++session) {
    const double now = 100 * std::pow(1.005, session);
    if (session >= 5 && judged(baseline_of(sessions), policy_with(0.001, 20), {now}).verdict ==
                            Verdict::kRegressed) {
      caught_at = session;
    }
    sessions.push_back({"A", {now}});
  }
  EXPECT_GT(caught_at, 5);
  EXPECT_LT(caught_at, 12);
}

TEST(Judge, RestartsTheMeanButNotTheVarianceWithANewRevision) {
  const double s = 0.05;
  auto baseline =
      baseline_of({{"A", {100 * std::exp(-s)}}, {"A", {100}}, {"A", {100 * std::exp(s)}}});
  add_revision(baseline, baseline.cases[kKey], {{"A", {200}}});
  const auto judgement = judged(baseline, policy_with(0.001, 1), {200});
  EXPECT_NEAR(judgement.before, 200, 1e-9);
  // w^2 = (2 * 0.0025 + 1e-6) / 3 = 0.00166700; SE = sqrt(2 w^2) = 0.0577408; t(0.01, 3) = 4.540703
  EXPECT_NEAR(judgement.threshold, std::expm1(4.540703 * 0.0577408), 1e-5);
}

// A process draws one of two modes 4 % apart, one in five the faster one: three sessions each drew
// it once, by luck, and agree to the last digit. Without it tonight is no slower.
TEST(Judge, DoesNotTakeTheLuckOfThreeSessionsForAMode) {
  const std::vector<double> lucky = {104, 104, 100, 104, 104};
  auto baseline = baseline_of({{"A", lucky}, {"A", lucky}, {"A", lucky}});
  baseline.cases[kKey].metrics[kMetric].statistic = Statistic::kBest;
  const auto policy = policy_with(0.001, 4);
  const std::vector<double> tonight(5, 104.0);
  EXPECT_EQ(judged(baseline, policy, tonight).verdict, Verdict::kPass);
  for (auto& [id, measurements] : baseline.cases[kKey].revisions.back().measurements[kMetric]) {
    measurements = {100, 100, 100, 100, 104};
  }
  EXPECT_EQ(judged(baseline, policy, tonight).verdict, Verdict::kRegressed);
}

TEST(Judge, SaysTheMedianOfTheProcessesWhereTheirBestIsJudged) {
  const auto policy = policy_with(1e-5, kCertain);
  const std::vector<double> tonight = {101, 100, 103, 102, 104};
  EXPECT_FALSE(judged(steady(), policy, tonight).median);
  auto baseline = steady();
  baseline.cases[kKey].metrics[kMetric].statistic = Statistic::kBest;
  EXPECT_NEAR(*judged(baseline, policy, tonight).median, 102, 1e-9);
  EXPECT_FALSE(judged(baseline, policy, {101}).median);  // the one is both
}

TEST(Judge, SendsAChangeBeyondHalfTheThresholdToAFullSession) {
  const auto policy = policy_with(1e-5, kCertain);  // threshold: log 1.02 = 0.0198026
  EXPECT_FALSE(judged(steady(), policy, {100 * std::exp(0.0098)}).worth_a_session);
  EXPECT_TRUE(judged(steady(), policy, {100 * std::exp(0.0100)}).worth_a_session);
  EXPECT_TRUE(judged(steady(), policy, {100 * std::exp(-0.0100)}).worth_a_session);
}

}  // namespace
}  // namespace perfgate
