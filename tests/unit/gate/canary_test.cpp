#include "perfgate/gate/canary.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "fixtures/outcomes.h"

namespace perfgate {
namespace {

using testing_support::judged;
using testing_support::judgement;
using testing_support::unjudged;

constexpr double kMissed = 0.01;

Policy policy() {
  Policy out;
  out.detection_probability = 0.99;
  out.canaries.missed_a_night = 0.01;
  return out;
}

Outcome passed() { return judged(Verdict::kPass); }

// A second gating into which this came, by each of its processes.
Outcome again(Verdict verdict, double injected_percent) {
  Outcome out = judged(verdict);
  for (auto& report : out.reports) {
    report.phases[Phase::kWhole].injected_percent = injected_percent;
  }
  return out;
}

TEST(Canary, MayBeMissedAsOftenAsThePolicySaysOfANight) {
  // 1 % of 1,000 cases are ten canaries, five of them injected: 0.01 / 5.
  EXPECT_NEAR(miss_probability(policy(), 1000, 0.01), 0.002, 1e-12);
  EXPECT_NEAR(miss_probability(policy(), 500, 0.02), 0.002, 1e-12);
}

TEST(Canary, OfASmallNightIsMissedNoMoreOftenThanTheMde) {
  // 0.05 a night: 0.2 would be allowed.
  EXPECT_NEAR(miss_probability(policy(), 10, 0.01), 0.01, 1e-12);
}

TEST(Canary, IsSlowedByTheThresholdAndStudentsTOfTheJudgesNoise) {
  // t of 1 % at ten degrees is 2.7638: 1.02 exp(2.7638 x 0.00126) - 1.
  const auto injection = injection_for(passed(), kMissed);
  ASSERT_TRUE(injection);
  EXPECT_NEAR(injection->least, 0.023558, 1e-6);
  EXPECT_EQ(injection->mde, 0.023);
  EXPECT_EQ(injection->metric, kTime);
}

TEST(Canary, IsSlowedByMoreWhereMissesAreToBeRarerOrTheNoiseIsKnownLess) {
  auto few = passed();
  few.judgements[0].degrees = 3;
  const double usual = injection_for(passed(), kMissed)->least;
  EXPECT_GT(injection_for(passed(), kMissed / 10)->least, usual);
  EXPECT_GT(injection_for(few, kMissed)->least, usual);
}

// The judge's SE is an estimate of `degrees`, so the change over it is spread as t is.
TEST(Canary, IsMissedAsOftenAsWanted) {
  const Judgement judgement = passed().judgements[0];
  const double least = std::log1p(injection_for(passed(), 0.05)->least);
  std::mt19937_64 random(1);
  std::student_t_distribution<double> noise(judgement.degrees);
  int missed = 0;
  constexpr int kNights = 20'000;
  for (int night = 0; night < kNights; ++night) {
    missed += least + judgement.standard_error * noise(random) <= std::log1p(judgement.threshold);
  }
  EXPECT_NEAR(missed, 0.05 * kNights, 4 * std::sqrt(0.05 * 0.95 * kNights));
}

TEST(Canary, IsSizedByTheMetricThatNeedsLeastAmongThoseThatShowInjectedWork) {
  auto outcome = passed();
  auto worse = judgement(Verdict::kPass);
  worse.metric = kNetTime;
  worse.threshold = 0.05;
  auto blind_to_it = judgement(Verdict::kPass);
  blind_to_it.metric = kPeakMemory;
  blind_to_it.threshold = 0.001;
  auto compile = blind_to_it;
  compile.metric = kTime.in(Phase::kCompile);
  outcome.judgements = {worse, blind_to_it, compile, judgement(Verdict::kPass)};
  EXPECT_EQ(injection_for(outcome, kMissed)->metric, kTime);
  outcome.judgements = {blind_to_it, compile};
  EXPECT_FALSE(injection_for(outcome, kMissed));
}

TEST(Canary, IsNoneWhereMoreThanTenfoldWouldBeNeeded) {
  auto outcome = passed();
  outcome.judgements[0].standard_error = 1;
  EXPECT_FALSE(injection_for(outcome, kMissed));  // 1.02 exp(2.76) - 1 is 15
  outcome.judgements[0].standard_error = 0.5;     // 3.06
  EXPECT_TRUE(injection_for(outcome, kMissed));
}

TEST(Canary, IsFoundWhereItFailsAndMissedWhereItDoesNot) {
  const auto injection = injection_for(passed(), kMissed);
  EXPECT_EQ(result_of(again(Verdict::kRegressed, 2.4), injection), CanaryResult::kFound);
  EXPECT_EQ(result_of(again(Verdict::kUnsteady, 2.4), injection), CanaryResult::kFound);
  for (const Verdict verdict :
       {Verdict::kPass, Verdict::kSuspect, Verdict::kImproved, Verdict::kBlind}) {
    EXPECT_EQ(result_of(again(verdict, 2.4), injection), CanaryResult::kMissed) << name_of(verdict);
  }
}

TEST(Canary, IsMissedWhereNobodySaysWhatWasInjected) {
  EXPECT_EQ(result_of(passed(), injection_for(passed(), kMissed)), CanaryResult::kMissed);
}

TEST(Canary, ThatGotLessThanHasToBeFoundSaysNothingUnlessItIsFound) {
  const auto injection = injection_for(passed(), kMissed);
  EXPECT_EQ(result_of(again(Verdict::kPass, 2.3), injection), CanaryResult::kVoid);
  EXPECT_EQ(result_of(again(Verdict::kRegressed, 2.3), injection), CanaryResult::kFound);
}

TEST(Canary, ThatIsRepeatedMustPassAgain) {
  EXPECT_EQ(result_of(passed(), {}), CanaryResult::kUnchanged);
  for (const Verdict verdict :
       {Verdict::kRegressed, Verdict::kSuspect, Verdict::kUnsteady, Verdict::kImproved}) {
    EXPECT_EQ(result_of(judged(verdict), {}), CanaryResult::kAlarm) << name_of(verdict);
  }
}

TEST(Canary, ThatPassedAndNowComesOutWrongOrNotAtAllIsAnAlarm) {
  const auto injection = injection_for(passed(), kMissed);
  for (const Verdict verdict : {Verdict::kWrong, Verdict::kError, Verdict::kLost}) {
    EXPECT_EQ(result_of(unjudged(verdict, "because"), {}), CanaryResult::kAlarm);
    EXPECT_EQ(result_of(unjudged(verdict, "because"), injection), CanaryResult::kAlarm);
  }
}

TEST(Canary, ThatOthersDisturbSaysNothing) {
  const auto disturbed = unjudged(Verdict::kMachineInvalid, "others");
  EXPECT_EQ(result_of(disturbed, {}), CanaryResult::kVoid);
  EXPECT_EQ(result_of(disturbed, injection_for(passed(), kMissed)), CanaryResult::kVoid);
}

TEST(Canary, MakesTheGateUnfitWhereItIsMissedOrAlarms) {
  EXPECT_TRUE(makes_unfit(CanaryResult::kMissed));
  EXPECT_TRUE(makes_unfit(CanaryResult::kAlarm));
  for (const auto result : {CanaryResult::kFound, CanaryResult::kUnchanged, CanaryResult::kVoid}) {
    EXPECT_FALSE(makes_unfit(result));
  }
}

}  // namespace
}  // namespace perfgate
