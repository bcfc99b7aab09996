// Which nights of a history count in which series.

#include "perfgate/gate/creep.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "fixtures/case_nights.h"
#include "perfgate/gate/judgement.h"

namespace perfgate {
namespace {

using testing_support::case_night;
using testing_support::kKey;
using testing_support::kMetric;

class SeriesCreeps : public testing::Test {
 protected:
  // Ten nights at the reference, ten that are 2 % slower; each as `change` leaves it.
  std::vector<SeriesCreep> found(const std::function<void(CaseNight&, int)>& change,
                                 const std::vector<std::string>& cases = {kKey}) {
    SeriesNights nights(judge_, "A", cases);
    for (int night = 1; night <= 20; ++night) {
      auto one = case_night(night, night % 2 == 1 ? 0.001 : -0.001);
      one.metrics[kMetric].change.log += night > 10 ? 0.02 : 0;
      change(one, night);
      nights.add(one);
    }
    return nights.creeps();
  }
  Policy policy_ = testing_support::policy_with({4e-6, 4}, {1e-4, 4});
  Judge judge_{
      testing_support::baseline_of({{"A", {100}}, {"B", {100}}, {"A", {100}}, {"A", {100}}}),
      policy_};
};

TEST_F(SeriesCreeps, SayHowMuchSinceWhenAndWithWhat) {
  const auto creeps = found(
      [](CaseNight& night, int number) { night.libtorch = number > 10 ? "2.14.0" : "2.13.0"; });
  ASSERT_EQ(creeps.size(), 1U);
  EXPECT_EQ(creeps[0].case_key, kKey);
  EXPECT_EQ(creeps[0].metric, kMetric);
  EXPECT_NEAR(creeps[0].change, 0.02, 0.001);
  EXPECT_EQ(creeps[0].nights, 10);
  EXPECT_EQ(creeps[0].since.time, "2026-12-11T03:00:00Z");
  EXPECT_EQ(creeps[0].since.libtorch, "2.14.0");
  ASSERT_TRUE(creeps[0].before);
  EXPECT_EQ(creeps[0].before->libtorch, "2.13.0");
  EXPECT_LE(creeps[0].found.time, "2026-12-14T03:00:00Z");
  EXPECT_EQ(creeps[0].now.time, "2026-12-20T03:00:00Z");
}

TEST_F(SeriesCreeps, AreNoneWhereNothingChanges) {
  EXPECT_TRUE(found([](CaseNight& night, int number) {
                night.metrics[kMetric].change.log -= number > 10 ? 0.02 : 0;
              }).empty());
}

TEST_F(SeriesCreeps, AreByTimeWhateverTheOrderOfTheLines) {
  // Backwards: the slow nights are the old ones, and the series has been back for ten.
  const auto creeps =
      found([](CaseNight& night, int number) { night.time = case_night(21 - number).time; });
  EXPECT_TRUE(creeps.empty());
}

TEST_F(SeriesCreeps, AreOfTheReferenceInForce) {
  EXPECT_TRUE(found([](CaseNight& night, int) { night.revision = "s09"; }).empty());
  EXPECT_TRUE(found([](CaseNight& night, int) { night.metrics[kMetric].sessions = 2; }).empty())
      << "of fewer sessions the mean was another";
}

TEST_F(SeriesCreeps, AreOfOneDevice) {
  EXPECT_TRUE(found([](CaseNight& night, int) { night.device_id = "B"; }).empty());
}

TEST_F(SeriesCreeps, AreOfTheCasesThatAreAskedFor) {
  EXPECT_TRUE(found([](CaseNight&, int) {}, {"demo/case/D2/eager"}).empty());
}

TEST_F(SeriesCreeps, DoNotCountWhatTheJudgeFoundItself) {
  EXPECT_TRUE(found([](CaseNight& night, int number) {
                night.metrics[kMetric].verdict = number > 10 ? Verdict::kRegressed : Verdict::kPass;
              }).empty());
  EXPECT_TRUE(found([](CaseNight& night, int number) {
                night.verdict = number > 10 ? Verdict::kUnsteady : Verdict::kPass;
              }).empty());
}

TEST_F(SeriesCreeps, DoNotCountANightWhoseNoiseIsNotKnown) {
  EXPECT_TRUE(found([](CaseNight& night, int) { night.metrics[kMetric].noise.reset(); }).empty());
}

TEST_F(SeriesCreeps, AskMoreOfMoreSeries) {
  // Four standard deviations in two nights are enough for one series in 100 nights, and too little
  // for one of a hundred thousand.
  const auto slower = [](CaseNight& night, int number) {
    night.metrics[kMetric].change.log = number > 18 ? 0.007 : night.metrics[kMetric].change.log;
    night.metrics[kMetric].change.log -= number > 10 && number <= 18 ? 0.02 : 0;
  };
  EXPECT_EQ(found(slower).size(), 1U);
  policy_.creep.false_alarms_a_night = 1e-7;
  EXPECT_TRUE(found(slower).empty());
}

TEST_F(SeriesCreeps, NightsSayHowWellTheyAreKnown) {
  Outcome outcome;
  outcome.case_key = kKey;
  outcome.device_id = "A";
  outcome.verdict = Verdict::kPass;
  outcome.reports.resize(5);
  outcome.judgements = {
      judgement_of(judge_, kKey, kMetric, {{kMetric, {101, 101, 101, 101, 101}}}, "A")};
  SessionRecord tonight;
  tonight.date = "2026-12-01T03:00:00Z";
  const auto nights = case_nights(judge_, tonight, {outcome});
  ASSERT_EQ(nights.size(), 1U);
  EXPECT_EQ(nights[0].revision, "s10");
  const auto& series = nights[0].metrics.at(kMetric);
  EXPECT_NEAR(series.change.log, std::log(1.01), 1e-12);
  EXPECT_EQ(series.sessions, 3);
  ASSERT_TRUE(series.noise);
  // SE^2 = s^2 (1 + 1/3) is the judge's.
  const double error = outcome.judgements[0].standard_error;
  EXPECT_NEAR(series.noise->night, error * std::sqrt(0.75), 1e-12);
  EXPECT_NEAR(series.noise->reference, series.noise->night / std::sqrt(3), 1e-12);
  outcome.device_id = "C";
  outcome.judgements = {judgement_of(judge_, kKey, kMetric, {{kMetric, {101}}}, "C")};
  EXPECT_FALSE(case_nights(judge_, tonight, {outcome})[0].metrics.at(kMetric).noise)
      << "a device that the baseline does not know";
  outcome.verdict = Verdict::kMachineInvalid;
  EXPECT_TRUE(case_nights(judge_, tonight, {outcome}).empty());
  outcome.verdict = Verdict::kPass;
  outcome.judgements.clear();
  EXPECT_TRUE(case_nights(judge_, tonight, {outcome}).empty());
}

TEST(CaseNights, OfFewerProcessesAreLessSteady) {
  const Policy policy = testing_support::policy_with({1e-8, 20}, {1e-4, 4});
  const Judge judge(testing_support::baseline_of(
                        {{"A", {98, 99, 100, 101, 102}}, {"A", {98, 99, 100, 101, 102}}}),
                    policy);
  const auto noise = [&](int workers) {
    Outcome outcome;
    outcome.case_key = kKey;
    outcome.device_id = "A";
    outcome.verdict = Verdict::kPass;
    outcome.reports.resize(static_cast<std::size_t>(workers));
    outcome.judgements = {judgement_of(judge, kKey, kMetric, {{kMetric, {100}}}, "A")};
    return case_nights(judge, {}, {outcome})[0].metrics.at(kMetric).noise->night;
  };
  // The median of five is as steady as what is judged; one process has five times its variance.
  EXPECT_NEAR(noise(1) / noise(5), std::sqrt(5), 1e-6);
}

}  // namespace
}  // namespace perfgate
