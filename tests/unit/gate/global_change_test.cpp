// All cases of a class together, against hand-computed answers.

#include "perfgate/gate/global_change.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fixtures/history_fixture.h"
#include "perfgate/gate/judgement.h"

namespace perfgate {
namespace {

using testing_support::kMetric;

constexpr int kCases = 6;

std::string key_of(int i) { return "demo/case/D" + std::to_string(i) + "/eager"; }

// Logs of three sessions of each device, which all cases have in common; by each process.
using Sessions = std::map<std::string, std::vector<std::vector<double>>>;

Baseline baseline_of(const Sessions& devices) {
  Baseline out;
  out.device = {"cuda", "Test GPU", {}};
  for (int i = 0; i < kCases; ++i) {
    CaseRecord record;
    record.metrics[kMetric] = testing_support::judged_metric();
    Revision revision{"first", "2026-11-20", {}, {}};
    for (const auto& [device, sessions] : devices) {
      for (std::size_t s = 0; s < sessions.size(); ++s) {
        const std::string id = device + std::to_string(s);
        out.sessions[id].device_id = device;
        revision.reference.push_back(id);
        for (const double log : sessions[s]) {
          revision.measurements[kMetric][id].push_back((100 + i) * std::exp(log));
        }
      }
    }
    record.revisions.push_back(revision);
    out.cases[key_of(i)] = record;
  }
  return out;
}

Policy policy() { return testing_support::policy_with({1e-4, 4}, {1e-4, 4}); }

std::vector<GlobalChange> judged(const Baseline& baseline, double log_change, int cases = kCases,
                                 int processes = 5) {
  const Policy by = policy();
  const Judge judge(baseline, by);
  std::vector<NightChange> night;
  for (int i = 0; i < cases; ++i) {
    night.push_back({key_of(i), kMetric, {log_change}, processes, 3});
  }
  return global_changes(judge, night);
}

// Sessions of A at 0, +0.1 and -0.1 %; of B at +1, +1.1 and +0.9 %.
const Sessions kSteady = {{"A", {{0}, {0.001}, {-0.001}}}, {"B", {{0.01}, {0.011}, {0.009}}}};

TEST(GlobalChange, IsJudgedBySessionsOfOneDeviceAgainstEachOther) {
  // Each session against the two others: 0, 0.0015, -0.0015; scaled by sqrt(2/3) to the variance
  // 2 (2/3) 0.0015^2 / 3 = 1e-6 of one session, by the six with 4 degrees of freedom. SE = 0.001
  // sqrt(1 + 1/3).
  const auto found = judged(baseline_of(kSteady), 0);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].family, "demo");
  EXPECT_EQ(found[0].cases, kCases);
  EXPECT_EQ(found[0].sessions, 6);
  EXPECT_EQ(found[0].verdict, Verdict::kPass);
  EXPECT_NEAR(found[0].half_width, 2.776445 * 0.001 * std::sqrt(4.0 / 3), 1e-8);
  // The budget of 1 % over six metrics and their group; t(4) at 0.00142857 is 6.52006.
  EXPECT_NEAR(found[0].alpha, 0.01 / 7, 1e-12);
  EXPECT_NEAR(found[0].threshold, std::expm1(6.52006 * 0.001 * std::sqrt(4.0 / 3)), 1e-7);
}

TEST(GlobalChange, FindsWhatNoCaseShowsAlone) {
  const auto baseline = baseline_of(kSteady);
  EXPECT_EQ(judged(baseline, 0.007)[0].verdict, Verdict::kPass);
  EXPECT_EQ(judged(baseline, 0.008)[0].verdict, Verdict::kRegressed);
  EXPECT_EQ(judged(baseline, -0.008)[0].verdict, Verdict::kImproved);
  EXPECT_NEAR(judged(baseline, 0.008)[0].change, std::expm1(0.008), 1e-12);
}

TEST(GlobalChange, HasNotPassedWhereItCouldHardlyHaveFailed) {
  const Sessions wild = {{"A", {{0}, {1.5}, {-1.5}}}};
  const auto blind = judged(baseline_of(wild), 0)[0];
  EXPECT_GT(blind.mde, 1);
  EXPECT_EQ(blind.verdict, Verdict::kBlind);
  EXPECT_FALSE(is_found(blind));
  EXPECT_EQ(judged(baseline_of(wild), 300)[0].verdict, Verdict::kRegressed) << "which it does see";
  EXPECT_EQ(judged(baseline_of(kSteady), 0)[0].verdict, Verdict::kPass);
}

TEST(GlobalChange, IsIgnoredUpToTheTolerance) {
  const Sessions steadier = {{"A", {{0}, {1e-5}, {-1e-5}}}};
  EXPECT_EQ(judged(baseline_of(steadier), 0.0049)[0].verdict, Verdict::kPass);
  EXPECT_EQ(judged(baseline_of(steadier), 0.0051)[0].verdict, Verdict::kRegressed);
}

TEST(GlobalChange, IsIgnoredUpToWhatItsCasesIgnore) {
  auto baseline = baseline_of({{"A", {{0}, {1e-5}, {-1e-5}}}});
  for (auto& [key, record] : baseline.cases) {
    record.metrics[kMetric].tolerance = 0.1;
  }
  EXPECT_EQ(judged(baseline, 0.09)[0].verdict, Verdict::kPass);
  EXPECT_EQ(judged(baseline, 0.10)[0].verdict, Verdict::kRegressed);
  baseline.cases.begin()->second.metrics[kMetric].tolerance.reset();
  EXPECT_EQ(judged(baseline, 0.09)[0].verdict, Verdict::kPass) << "the median of theirs counts";
}

TEST(GlobalChange, LeavesOutAMetricThatTheRevisionInForceLacks) {
  auto baseline = baseline_of(kSteady);
  baseline.cases[key_of(0)].revisions.back().measurements.clear();
  EXPECT_EQ(judged(baseline, 0.008)[0].cases, kCases - 1);
}

TEST(GlobalChange, ComparesWithAsManyProcessesAsTonightsHas) {
  // The first process of each session is 2 % slower than the median of its five.
  const auto session = [](double at) { return std::vector<double>{at + 0.02, at, at, at, at}; };
  const Sessions slow_starters = {{"A", {session(0), session(0.001), session(-0.001)}}};
  const auto baseline = baseline_of(slow_starters);
  EXPECT_NEAR(judged(baseline, 0.02, kCases, 1)[0].change, 0, 1e-9);
  EXPECT_NEAR(judged(baseline, 0.02, kCases, 5)[0].change, std::expm1(0.02), 1e-9);
}

TEST(GlobalChange, IsOfAtLeastFiveCases) {
  EXPECT_EQ(judged(baseline_of(kSteady), 0.1, 5).size(), 1U);
  EXPECT_TRUE(judged(baseline_of(kSteady), 0.1, 4).empty());
}

TEST(GlobalChange, SaysNothingWhereNoDeviceHasTwoSessions) {
  EXPECT_TRUE(judged(baseline_of({{"A", {{0}}}, {"B", {{0.01}}}}), 0.1).empty());
}

TEST(GlobalChange, TakesWhatWasComparedWithTheDevicesOwnSessions) {
  Outcome known;
  known.case_key = key_of(0);
  known.verdict = Verdict::kPass;
  known.judgements.emplace_back();
  known.judgements[0].metric = kMetric;
  known.judgements[0].change = 0.01;
  known.judgements[0].known_device = true;
  known.reports.resize(2);
  Outcome unknown = known;
  unknown.judgements[0].known_device = false;
  Outcome disturbed = known;
  disturbed.verdict = Verdict::kMachineInvalid;
  const auto night = night_changes({known, unknown, disturbed});
  ASSERT_EQ(night.size(), 1U);
  EXPECT_EQ(night[0].processes, 2);
  EXPECT_NEAR(night[0].change.log, std::log1p(0.01), 1e-12);
}

}  // namespace
}  // namespace perfgate
