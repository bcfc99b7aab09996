#include "perfgate/baseline/record.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "fixtures/sample_baseline.h"
#include "perfgate/baseline/baseline_json.h"

namespace perfgate {
namespace {

using testing::ElementsAre;
using testing_support::kKey;
using testing_support::measured;
using testing_support::record_session;
using testing_support::sample_baseline;
using testing_support::session_on;

constexpr const char* kOther = "ops/mm/D64/eager";

const Revision& last_revision(const Baseline& baseline, const std::string& key = kKey) {
  return baseline.cases.at(key).revisions.back();
}

// Two runs may have searched at the same time.
TEST(RecordSession, KeepsMeasurementsOfAnotherTuningApart) {
  Baseline baseline;
  auto session = measured(kKey, {81, 82});
  session.tuning = {{"algorithm", "12"}};
  record_session(baseline, session_on("u1"), {session});
  record_session(baseline, session_on("u1"), {session});
  EXPECT_EQ(baseline.cases.at(kKey).revisions.size(), 1U);
  session.tuning = {{"algorithm", "37"}};
  record_session(baseline, session_on("u2"), {session});
  EXPECT_EQ(baseline.cases.at(kKey).revisions.size(), 2U);
  EXPECT_EQ(last_revision(baseline).tuning, session.tuning);
}

// A host that was delayed must not cost the case its references; a case that has become
// launch-bound is judged by other metrics.
TEST(RecordSession, BeginsAnewWhereACaseIsQueuedOtherwiseOnlyIfItChanged) {
  Baseline baseline;
  auto session = measured(kKey, {81, 82});
  session.phases[Phase::kWhole].protocol[kQueuedWhole] = true;
  session.metrics[kCycles] = session.metrics.at(kTime);
  record_session(baseline, session_on("u1"), {session});
  auto delayed = session;
  delayed.phases[Phase::kWhole].protocol[kQueuedWhole] = false;
  delayed.metrics.erase(kCycles);
  record_session(baseline, session_on("u1"), {delayed});
  EXPECT_EQ(last_revision(baseline).reference.size(), 2U);
  EXPECT_TRUE(baseline.cases.at(kKey).metrics.at(kCycles).judged);
  const auto protocol = [&baseline] {
    return baseline.cases.at(kKey).phase(Phase::kWhole).protocol;
  };
  EXPECT_EQ(protocol(), session.phases[Phase::kWhole].protocol);

  delayed.changed = true;
  delayed.judged_against = last_revision(baseline).reference.front();
  delayed.reason = "it waits for the host now";
  record_session(baseline, session_on("u1"), {delayed});
  EXPECT_EQ(last_revision(baseline).reference.size(), 1U);
  EXPECT_EQ(baseline.cases.at(kKey).metrics.count(kCycles), 0U);
  EXPECT_EQ(protocol(), delayed.phases[Phase::kWhole].protocol);
}

TEST(MeasuredPhases, AreQueuedWholeWhereMostProcessesWere) {
  std::vector<WorkerReport> reports(5);
  for (auto& report : reports) {
    report.phases[Phase::kWhole].protocol[kQueuedWhole] = true;
  }
  const auto queued_whole = [&reports] {
    return is_queued_whole(measured_phases(reports).at(Phase::kWhole).protocol);
  };
  for (const std::size_t first : {0, 1}) {
    reports[first].phases[Phase::kWhole].protocol[kQueuedWhole] = false;
    EXPECT_EQ(queued_whole(), true);
  }
  reports[2].phases[Phase::kWhole].protocol[kQueuedWhole] = false;
  EXPECT_EQ(queued_whole(), false);
  for (auto& report : reports) {
    report.phases[Phase::kWhole].protocol.erase(kQueuedWhole);
  }
  EXPECT_EQ(queued_whole(), std::nullopt);
}

TEST(RecordSession, LeavesTheClassThatTheRecordHas) {
  Baseline baseline;
  record_session(baseline, session_on("u1"), {measured(kKey, {81, 82})});
  auto later = measured(kKey, {81, 82});
  later.metrics.at(kTime).description.variance_class = "cuda/launch";
  record_session(baseline, session_on("u1"), {later});
  EXPECT_EQ(last_revision(baseline).reference.size(), 2u);
  EXPECT_NE(baseline.cases.at(kKey).metrics.at(kTime).variance_class, "cuda/launch");
}

TEST(RecordSession, BeginsTheFirstRevisionOfANewCase) {
  Baseline baseline;
  const std::string id = record_session(baseline, session_on("u1"), {measured(kKey, {81, 82})});
  EXPECT_EQ(id, "2026-11-20-u1-01");
  EXPECT_EQ(baseline.sessions.at(id).host, "host1");
  const CaseRecord& record = baseline.cases.at(kKey);
  EXPECT_TRUE(record.metrics.at(kTime).judged);
  ASSERT_EQ(record.revisions.size(), 1u);
  EXPECT_EQ(record.revisions[0].reason, "first");
  EXPECT_EQ(record.revisions[0].date, "2026-11-20");
  EXPECT_THAT(record.revisions[0].reference, ElementsAre(id));
  EXPECT_THAT(record.revisions[0].measurements.at(kTime).at(id), ElementsAre(81, 82));
  EXPECT_EQ(record.metrics.count(kUtilisation), 0U) << "shown, and nobody judges it";
}

TEST(RecordSession, ReferencesTheFirstFiveSessionsOfADeviceAndNoMore) {
  Baseline baseline;
  for (int i = 0; i < kReferenceSessions + 2; ++i) {
    record_session(baseline, session_on("u1"), {measured(kKey, {81})});
  }
  const Revision& revision = last_revision(baseline);
  EXPECT_EQ(baseline.cases.at(kKey).revisions.size(), 1u);
  EXPECT_THAT(revision.reference,
              ElementsAre("2026-11-20-u1-01", "2026-11-20-u1-02", "2026-11-20-u1-03",
                          "2026-11-20-u1-04", "2026-11-20-u1-05"));
  EXPECT_EQ(revision.measurements.at(kTime).size(), 5u);
  EXPECT_EQ(revision.later.at("u1").metrics.at(kTime).count,
            2);  // the later ones tell of the noise
}

// Night after night loads the same package.
TEST(RecordSession, KeepsACompileTimeInReferencesAlone) {
  constexpr Metric kCompileTime = kTime.in(Phase::kCompile);
  Baseline baseline;
  auto session = measured(kKey, {81, 82});
  session.metrics[kCompileTime] = {session.metrics.at(kTime).description, {2e7, 2e7}};
  session.phases[Phase::kCompile] = session.phases.at(Phase::kWhole);
  for (int i = 0; i < kReferenceSessions + 2; ++i) {
    record_session(baseline, session_on("u1"), {session});
  }
  EXPECT_EQ(last_revision(baseline).measurements.at(kCompileTime).size(), 5U);
  const auto& later = last_revision(baseline).later.at("u1").metrics;
  EXPECT_TRUE(later.contains(kTime) && !later.contains(kCompileTime));
}

TEST(RecordSession, GivesEveryDeviceReferencesOfItsOwn) {
  Baseline baseline;
  for (int i = 0; i < kReferenceSessions + 1; ++i) {
    record_session(baseline, session_on("u1"), {measured(kKey, {81})});
  }
  const std::string id = record_session(baseline, session_on("u2"), {measured(kKey, {83})});
  EXPECT_EQ(last_revision(baseline).reference.size(), 6u);
  EXPECT_EQ(last_revision(baseline).reference.back(), id);
}

TEST(RecordSession, BeginsANewRevisionOnDemandAndKeepsTheOldOne) {
  Baseline baseline;
  const std::string first = record_session(baseline, session_on("u1"), {measured(kKey, {81})});
  CaseSession changed = measured(kKey, {77});
  changed.judged_against = first;
  changed.changed = true;
  changed.reason = "LibTorch 2.14";
  const std::string id = record_session(baseline, session_on("u1", "2026-11-21"), {changed});
  ASSERT_EQ(baseline.cases.at(kKey).revisions.size(), 2u);
  EXPECT_THAT(baseline.cases.at(kKey).revisions[0].reference, ElementsAre("2026-11-20-u1-01"));
  EXPECT_EQ(last_revision(baseline).reason, "LibTorch 2.14");
  EXPECT_EQ(last_revision(baseline).date, "2026-11-21");
  EXPECT_THAT(last_revision(baseline).reference, ElementsAre(id));
  EXPECT_EQ(last_revision(baseline).measurements.at(kTime).size(), 1u);
  EXPECT_EQ(baseline.sessions.size(), 2u);
}

TEST(RecordSession, DropsMeasurementsOfAnotherProtocolAndSessionsThatNobodyNamesAnyMore) {
  Baseline baseline;
  record_session(baseline, session_on("u1"), {measured(kKey, {81}), measured(kOther, {9})});
  record_session(baseline, session_on("u1"), {measured(kKey, {82})});
  CaseSession other = measured(kKey, {70});
  other.phases.at(Phase::kWhole).protocol["samples"] = std::int64_t{60};
  other.reason = "more samples";
  const std::string id = record_session(baseline, session_on("u1", "2026-11-21"), {other});
  const CaseRecord& record = baseline.cases.at(kKey);
  EXPECT_EQ(record.phase(Phase::kWhole).protocol.at("samples"), ProtocolSetting(std::int64_t{60}));
  ASSERT_EQ(record.revisions.size(), 1u);
  EXPECT_EQ(record.revisions[0].reason, "more samples");
  EXPECT_EQ(record.revisions[0].measurements.at(kTime).size(), 1u);
  // The first session still serves the other case; the second served nobody but this one.
  EXPECT_EQ(baseline.sessions.count("2026-11-20-u1-01"), 1u);
  EXPECT_EQ(baseline.sessions.count("2026-11-20-u1-02"), 0u);
  EXPECT_EQ(baseline.sessions.count(id), 1u);
}

TEST(RecordSession, StartsAfreshWhenAJudgedMetricIsGone) {
  Baseline baseline;
  record_session(baseline, session_on("u1"), {measured(kKey, {81})});
  CaseSession fewer = measured(kKey, {81});
  fewer.metrics.erase(kTime);
  fewer.metrics.at(kUtilisation).description.judged = true;
  record_session(baseline, session_on("u1"), {fewer});
  EXPECT_EQ(baseline.cases.at(kKey).metrics.size(), 1u);
  EXPECT_EQ(last_revision(baseline).measurements.at(kUtilisation).size(), 1u);
}

TEST(RecordSession, GoesOnWhenAMetricThatIsOnlyShownComesOrGoes) {
  Baseline baseline;
  const CaseSession fewer = measured(kKey, {81});
  CaseSession more = fewer;
  more.metrics[kSampleSpread] = {testing_support::metric_of(false), {0.02}};
  record_session(baseline, session_on("u1"), {fewer});
  record_session(baseline, session_on("u1"), {more});
  record_session(baseline, session_on("u1"), {fewer});
  EXPECT_EQ(last_revision(baseline).measurements.at(kTime).size(), 3u);
  EXPECT_EQ(last_revision(baseline).measurements.at(kSampleSpread).size(), 1u);
}

// As SM cycles were, for files that were recorded before.
CaseSession with_busy_time(const std::vector<double>& measurements) {
  CaseSession out = measured(kKey, measurements);
  out.metrics[kBusyTime] = {testing_support::metric_of(true), measurements};
  return out;
}

TEST(RecordSession, JudgesANewMetricFromItsFirstReferenceSessionOn) {
  Baseline baseline;
  baseline.device = {"cpu", "a machine", {}};
  record_session(baseline, session_on("u1"), {measured(kKey, {81})});
  const std::string id = record_session(baseline, session_on("u1"), {with_busy_time({79})});
  EXPECT_TRUE(baseline.cases.at(kKey).metrics.at(kBusyTime).judged);
  EXPECT_THAT(last_revision(baseline).measurements.at(kBusyTime), ElementsAre(testing::Key(id)));
  const auto files = to_files(baseline);
  EXPECT_EQ(to_files(baseline_from_files(files, "b")), files);
}

TEST(RecordSession, OnlyShowsANewMetricWhereNoReferenceHasIt) {
  Baseline baseline;
  for (int i = 0; i < kReferenceSessions; ++i) {
    record_session(baseline, session_on("u1"), {measured(kKey, {81})});
  }
  record_session(baseline, session_on("u1"), {with_busy_time({79})});
  EXPECT_EQ(baseline.cases.at(kKey).metrics.count(kBusyTime), 0U);
}

TEST(RecordSession, OnlyShowsANewMetricWhereTheRecordJudgesByAnother) {
  Baseline baseline;
  record_session(baseline, session_on("u1"), {measured(kKey, {81})});
  baseline.cases.at(kKey).metrics[kUtilisation] = testing_support::metric_of(true);
  record_session(baseline, session_on("u1"), {with_busy_time({79})});
  EXPECT_EQ(baseline.cases.at(kKey).metrics.count(kBusyTime), 0U);
}

TEST(RecordSession, KeepsWhatTheRecordSaysIsJudgedAndHow) {
  Baseline baseline;
  record_session(baseline, session_on("u1"), {measured(kKey, {81})});
  baseline.cases.at(kKey).metrics.at(kTime).statistic = Statistic::kBest;
  baseline.cases.at(kKey).metrics[kUtilisation] = testing_support::metric_of(true);
  record_session(baseline, session_on("u1"), {measured(kKey, {81})});
  EXPECT_EQ(baseline.cases.at(kKey).metrics.at(kTime).statistic, Statistic::kBest);
  EXPECT_TRUE(baseline.cases.at(kKey).metrics.at(kUtilisation).judged);
  EXPECT_EQ(last_revision(baseline).measurements.at(kTime).size(), 2u);
}

TEST(RecordSession, KeepsAToleranceThatSomebodySetByHand) {
  Baseline baseline;
  record_session(baseline, session_on("u1"), {measured(kKey, {81})});
  baseline.cases.at(kKey).metrics.at(kTime).tolerance = 0.1;
  record_session(baseline, session_on("u1"), {measured(kKey, {81})});
  EXPECT_EQ(baseline.cases.at(kKey).metrics.at(kTime).tolerance, 0.1);
  EXPECT_EQ(last_revision(baseline).measurements.at(kTime).size(), 2u);
}

TEST(RecordSession, KeepsItUnderAnotherProtocolWhereTheMetricIsJudgedAsItWas) {
  for (const Statistic now : {Statistic::kMedian, Statistic::kBest}) {
    Baseline baseline;
    record_session(baseline, session_on("u1"), {measured(kKey, {81})});
    baseline.cases.at(kKey).metrics.at(kTime).tolerance = 0.1;
    CaseSession other = measured(kKey, {70});
    other.phases.at(Phase::kWhole).protocol["samples"] = std::int64_t{60};
    auto& description = other.metrics.at(kTime).description;
    description.statistic = now;
    description.tolerance = 0.3;  // as choose_judged_metrics sets it
    record_session(baseline, session_on("u1"), {other});
    EXPECT_EQ(baseline.cases.at(kKey).metrics.at(kTime).tolerance,
              now == Statistic::kMedian ? 0.1 : 0.3);
  }
}

TEST(RecordSession, LeavesCasesThatWereNotMeasuredAsTheyWere) {
  Baseline baseline = sample_baseline();
  const auto before = to_files(baseline);
  record_session(baseline, session_on("GPU-aa"), {measured("gpt_fast/mm/D64/eager", {9})});
  const auto after = to_files(baseline);
  EXPECT_EQ(after.at("cases/ops.json"), before.at("cases/ops.json"));
  EXPECT_EQ(after.count("cases/gpt_fast.json"), 1u);
}

TEST(RecordSession, RefusesASessionWithoutACase) {
  Baseline baseline;
  EXPECT_THROW((void)record_session(baseline, session_on("u1"), {}), std::invalid_argument);
  EXPECT_TRUE(baseline.sessions.empty());
}

}  // namespace
}  // namespace perfgate
