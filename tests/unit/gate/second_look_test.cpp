// A device that the baseline does not know, judged once its other cases have been measured.

#include "perfgate/gate/second_look.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fixtures/device_effect_fixture.h"
#include "perfgate/gate/judgement.h"
#include "perfgate/stats/student_t.h"

namespace perfgate {
namespace {

using testing_support::effects_policy;
using testing_support::kEffects;
using testing_support::kMetric;
using testing_support::many_cases;
using testing_support::sibling_key;

constexpr int kCases = 8;

// A night on one device: its cases' distances, in logs, from what they take on a usual one.
class SecondLook : public testing::Test {
 protected:
  Judgement judged(const std::vector<double>& changes, int i, const std::string& device = "Z") {
    outcomes_.clear();
    for (int k = 0; k < kCases; ++k) {
      outcomes_.push_back(outcome(k, changes.at(k), device));
    }
    siblings_ = sibling_changes(judge_, outcomes_);
    return judgement_of(judge_.of_two_looks(&siblings_), sibling_key(i), kMetric,
                        measured(i, changes.at(i)), device);
  }
  Judgement first_look(int i, double change, const std::string& device = "Z") {
    return judgement_of(judge_.of_two_looks(nullptr), sibling_key(i), kMetric, measured(i, change),
                        device);
  }
  static SessionMeasurements measured(int i, double change) {
    return {{kMetric, {(100 + i) * std::exp(change)}}};
  }
  Outcome outcome(int i, double change, const std::string& device) {
    Outcome out;
    out.case_key = sibling_key(i);
    out.device_id = device;
    out.verdict = Verdict::kPass;
    out.judgements = {first_look(i, change, device)};
    WorkerReport report;
    report.metrics[kMetric].value = measured(i, change).at(kMetric).front();
    out.reports = {report};
    return out;
  }

  Policy policy_ = effects_policy();
  Judge judge_{many_cases(kCases, kEffects), policy_};
  std::vector<Outcome> outcomes_;
  SiblingChanges siblings_;
};

std::vector<double> all(double change) { return std::vector<double>(kCases, change); }

TEST_F(SecondLook, ExpectsOfACaseWhatTheDeviceDoesToTheOthers) {
  const auto judgement = judged(all(0.008), 2);
  ASSERT_TRUE(judgement.effect.has_value());
  EXPECT_NEAR(judgement.effect->value, 0.008, 1e-6);
  EXPECT_EQ(judgement.effect->siblings, kCases - 1);
  EXPECT_NEAR(judgement.change, 0, 1e-6);
  EXPECT_NEAR(judgement.before, 102 * std::exp(0.008), 1e-4);
  EXPECT_NEAR(first_look(2, 0.008).change, std::expm1(0.008), 1e-6);
}

TEST_F(SecondLook, GoesByWhatIsLeftBetweenDevices) {
  // The group's 4e-4 / 18 with 12 degrees, the case's own nothing with 2 14/16: variance
  // 12 / 13.75 of that, (1 + 1/3) times; the siblings agree.
  const double variance = 4e-4 / 18 * 12 / 13.75 * 4 / 3;
  const double q = student_t_quantile(0.75 * judge_.alpha(), 13.75);
  EXPECT_NEAR(judged(all(0), 2).threshold, std::expm1(q * std::sqrt(variance)), 1e-4);
}

TEST_F(SecondLook, FindsWhatTheFirstOneCannot) {
  auto changes = all(0.008);
  changes[5] += 0.05;
  const auto first = first_look(5, changes[5]);
  EXPECT_EQ(first.verdict, Verdict::kPass);
  EXPECT_EQ(judged(changes, 5).verdict, Verdict::kRegressed);
  EXPECT_EQ(judged(changes, 4).verdict, Verdict::kPass);
}

TEST_F(SecondLook, DoesNotExcuseWhatSlowsAllCasesByMoreThanADeviceMay) {
  // 2.8 % and no more, see DeviceEffects.SayHowFarOutAnotherDeviceMayBe.
  EXPECT_TRUE(judged(all(0.027), 3).effect.has_value());
  const auto judgement = judged(all(0.029), 3);
  EXPECT_FALSE(judgement.effect.has_value());
  EXPECT_NEAR(judgement.change, std::expm1(0.029), 1e-6);
  EXPECT_NEAR(judgement.mde, first_look(3, 0.029).mde, 1e-9);
}

TEST_F(SecondLook, SharesTheBudgetWithTheFirst) {
  EXPECT_DOUBLE_EQ(first_look(0, 0).alpha, 0.25 * judge_.alpha());
  EXPECT_DOUBLE_EQ(judged(all(0), 0).alpha, 0.75 * judge_.alpha());
  EXPECT_DOUBLE_EQ(first_look(0, 0, "B").alpha, judge_.alpha()) << "it is known";
  const auto alone = judgement_of(judge_, sibling_key(0), kMetric, measured(0, 0), "Z");
  EXPECT_DOUBLE_EQ(alone.alpha, judge_.alpha()) << "a refresh looks once";
}

TEST_F(SecondLook, SaysNothingOfAKnownDevice) {
  const auto judgement = judged(all(0.03), 1, "B");
  EXPECT_FALSE(judgement.effect.has_value());
  EXPECT_NEAR(judgement.change, std::expm1(0.03), 1e-6);
  EXPECT_FALSE(has_second_look(judge_.of_two_looks(&siblings_), outcomes_.front()));
}

TEST_F(SecondLook, DoesNotGoByWhatOthersMayHaveDisturbed) {
  outcomes_ = {outcome(0, 0.5, "Z"), outcome(1, 0.01, "Z"), outcome(2, 0.01, "Z")};
  outcomes_[0].verdict = Verdict::kMachineInvalid;
  const auto siblings = sibling_changes(judge_, outcomes_);
  const auto group =
      sibling_group(sibling_key(7), judge_.baseline().cases.at(sibling_key(7)), kMetric);
  EXPECT_EQ(siblings.beside(group, sibling_key(7), 1)->siblings, 2);
}

TEST_F(SecondLook, IsOfWhatHasNotFailedAndHasSiblings) {
  judged(all(0), 0);
  auto one = outcomes_.front();
  const auto judge = judge_.of_two_looks(&siblings_);
  for (const auto& [verdict, expected] : std::map<Verdict, bool>{{Verdict::kPass, true},
                                                                 {Verdict::kSuspect, true},
                                                                 {Verdict::kImproved, true},
                                                                 {Verdict::kBlind, true},
                                                                 {Verdict::kRegressed, false},
                                                                 {Verdict::kMachineInvalid, false},
                                                                 {Verdict::kWrong, false}}) {
    one.verdict = verdict;
    EXPECT_EQ(has_second_look(judge, one), expected) << name_of(verdict);
  }
  one.verdict = Verdict::kPass;
  const SiblingChanges none;
  EXPECT_FALSE(has_second_look(judge_.of_two_looks(&none), one));
}

// Of two processes the best is 0.6 % faster than either one in the median.
TEST_F(SecondLook, TakesOneProcessForWhatASessionWouldBe) {
  Baseline baseline = many_cases(kCases, kEffects);
  for (auto& [key, record] : baseline.cases) {
    record.metrics.at(kMetric).statistic = Statistic::kBest;
    for (auto& [session, measurements] : record.revisions.back().measurements.at(kMetric)) {
      measurements.insert(measurements.begin(), measurements.front() * std::exp(0.006));
    }
  }
  const Judge judge(baseline, policy_);
  const auto change = change_less_effects(judge, sibling_key(1), kMetric, measured(1, 0.006), "Z");
  EXPECT_NEAR(change.value().log, 0, 1e-6);
}

}  // namespace
}  // namespace perfgate
