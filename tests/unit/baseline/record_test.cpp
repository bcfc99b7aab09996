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

const Epoch& last_epoch(const Baseline& baseline, const std::string& key = kKey) {
  return baseline.cases.at(key).epochs.back();
}

TEST(NextSessionId, IsDateShortenedUnitAndTheFirstFreeNumber) {
  Baseline baseline;
  const SessionRecord session = session_on("GPU-b398e28c-1a2b-3c4d");
  EXPECT_EQ(next_session_id(baseline, session), "2026-11-20-b398e28c-01");
  baseline.sessions["2026-11-20-b398e28c-01"] = session;
  EXPECT_EQ(next_session_id(baseline, session), "2026-11-20-b398e28c-02");
  for (const char* id : {"2026-11-20-b398e28c-02", "2026-11-20-b398e28c-03"}) {
    baseline.sessions[id] = session;
  }
  baseline.sessions.erase("2026-11-20-b398e28c-02");
  EXPECT_EQ(next_session_id(baseline, session), "2026-11-20-b398e28c-02");
}

TEST(NextSessionId, CountsEveryUnitAndDayByItself) {
  Baseline baseline;
  baseline.sessions["2026-11-20-b398e28c-01"] = {};
  EXPECT_EQ(next_session_id(baseline, session_on("b398e28c", "2026-11-21")),
            "2026-11-21-b398e28c-01");
  EXPECT_EQ(next_session_id(baseline, session_on("GPU-ffff")), "2026-11-20-ffff-01");
}

TEST(NextSessionId, TakesEightLettersAndDigitsOfAnyUnit) {
  EXPECT_EQ(next_session_id({}, session_on("ab-cd_ef/gh.ij")), "2026-11-20-abcdefgh-01");
}

// Two runs may have searched at the same time.
TEST(RecordSession, KeepsFiguresOfAnotherTuningApart) {
  Baseline baseline;
  auto session = measured(kKey, {81, 82});
  session.tuning = {{"algorithm", "12"}};
  record_session(baseline, session_on("u1"), {session});
  record_session(baseline, session_on("u1"), {session});
  EXPECT_EQ(baseline.cases.at(kKey).epochs.size(), 1U);
  session.tuning = {{"algorithm", "37"}};
  record_session(baseline, session_on("u2"), {session});
  EXPECT_EQ(baseline.cases.at(kKey).epochs.size(), 2U);
  EXPECT_EQ(last_epoch(baseline).tuning, session.tuning);
}

TEST(RecordSession, LeavesTheClassThatTheRecordHas) {
  Baseline baseline;
  record_session(baseline, session_on("u1"), {measured(kKey, {81, 82})});
  auto later = measured(kKey, {81, 82});
  later.metrics.at("time").description.variance_class = "cuda/launch";
  record_session(baseline, session_on("u1"), {later});
  EXPECT_EQ(last_epoch(baseline).anchor.size(), 2u);
  EXPECT_NE(baseline.cases.at(kKey).metrics.at("time").variance_class, "cuda/launch");
}

TEST(RecordSession, BeginsTheFirstEpochOfANewCase) {
  Baseline baseline;
  const std::string id = record_session(baseline, session_on("u1"), {measured(kKey, {81, 82})});
  EXPECT_EQ(id, "2026-11-20-u1-01");
  EXPECT_EQ(baseline.sessions.at(id).host, "host1");
  const CaseRecord& record = baseline.cases.at(kKey);
  EXPECT_EQ(record.metrics.at("time").unit, "us");
  ASSERT_EQ(record.epochs.size(), 1u);
  EXPECT_EQ(record.epochs[0].reason, "first");
  EXPECT_EQ(record.epochs[0].date, "2026-11-20");
  EXPECT_THAT(record.epochs[0].anchor, ElementsAre(id));
  EXPECT_THAT(record.epochs[0].figures.at("time").at(id), ElementsAre(81, 82));
  EXPECT_THAT(record.epochs[0].figures.at("utilisation").at(id), ElementsAre(0.5, 0.5));
}

TEST(RecordSession, AnchorsTheFirstFiveSessionsOfAUnitAndNoMore) {
  Baseline baseline;
  for (int i = 0; i < kAnchorSessions + 2; ++i) {
    record_session(baseline, session_on("u1"), {measured(kKey, {81})});
  }
  const Epoch& epoch = last_epoch(baseline);
  EXPECT_EQ(baseline.cases.at(kKey).epochs.size(), 1u);
  EXPECT_THAT(epoch.anchor, ElementsAre("2026-11-20-u1-01", "2026-11-20-u1-02", "2026-11-20-u1-03",
                                        "2026-11-20-u1-04", "2026-11-20-u1-05"));
  EXPECT_EQ(epoch.figures.at("time").size(), 7u);  // the later ones tell of the noise
}

TEST(RecordSession, GivesEveryUnitAnchorsOfItsOwn) {
  Baseline baseline;
  for (int i = 0; i < kAnchorSessions + 1; ++i) {
    record_session(baseline, session_on("u1"), {measured(kKey, {81})});
  }
  const std::string id = record_session(baseline, session_on("u2"), {measured(kKey, {83})});
  EXPECT_EQ(last_epoch(baseline).anchor.size(), 6u);
  EXPECT_EQ(last_epoch(baseline).anchor.back(), id);
}

TEST(RecordSession, BeginsANewEpochOnDemandAndKeepsTheOldOne) {
  Baseline baseline;
  const std::string first = record_session(baseline, session_on("u1"), {measured(kKey, {81})});
  CaseSession changed = measured(kKey, {77});
  changed.judged_against = first;
  changed.changed = true;
  changed.reason = "LibTorch 2.14";
  const std::string id = record_session(baseline, session_on("u1", "2026-11-21"), {changed});
  ASSERT_EQ(baseline.cases.at(kKey).epochs.size(), 2u);
  EXPECT_THAT(baseline.cases.at(kKey).epochs[0].anchor, ElementsAre("2026-11-20-u1-01"));
  EXPECT_EQ(last_epoch(baseline).reason, "LibTorch 2.14");
  EXPECT_EQ(last_epoch(baseline).date, "2026-11-21");
  EXPECT_THAT(last_epoch(baseline).anchor, ElementsAre(id));
  EXPECT_EQ(last_epoch(baseline).figures.at("time").size(), 1u);
  EXPECT_EQ(baseline.sessions.size(), 2u);
}

TEST(RecordSession, DropsFiguresOfAnotherProtocolAndSessionsThatNobodyNamesAnyMore) {
  Baseline baseline;
  record_session(baseline, session_on("u1"), {measured(kKey, {81}), measured(kOther, {9})});
  record_session(baseline, session_on("u1"), {measured(kKey, {82})});
  CaseSession other = measured(kKey, {70});
  other.metrics.at("time").description.protocol["samples"] = std::int64_t{60};
  other.reason = "more samples";
  const std::string id = record_session(baseline, session_on("u1", "2026-11-21"), {other});
  const CaseRecord& record = baseline.cases.at(kKey);
  EXPECT_EQ(record.metrics.at("time").protocol.at("samples"), ProtocolSetting(std::int64_t{60}));
  ASSERT_EQ(record.epochs.size(), 1u);
  EXPECT_EQ(record.epochs[0].reason, "more samples");
  EXPECT_EQ(record.epochs[0].figures.at("time").size(), 1u);
  // The first session still serves the other case; the second served nobody but this one.
  EXPECT_EQ(baseline.sessions.count("2026-11-20-u1-01"), 1u);
  EXPECT_EQ(baseline.sessions.count("2026-11-20-u1-02"), 0u);
  EXPECT_EQ(baseline.sessions.count(id), 1u);
}

TEST(RecordSession, StartsAfreshWhenAJudgedMetricIsGone) {
  Baseline baseline;
  record_session(baseline, session_on("u1"), {measured(kKey, {81})});
  CaseSession fewer = measured(kKey, {81});
  fewer.metrics.erase("time");
  record_session(baseline, session_on("u1"), {fewer});
  EXPECT_EQ(baseline.cases.at(kKey).metrics.size(), 1u);
  EXPECT_EQ(last_epoch(baseline).figures.at("utilisation").size(), 1u);
}

TEST(RecordSession, GoesOnWhenAMetricThatIsOnlyShownComesOrGoes) {
  Baseline baseline;
  CaseSession fewer = measured(kKey, {81});
  fewer.metrics.erase("utilisation");
  record_session(baseline, session_on("u1"), {fewer});
  record_session(baseline, session_on("u1"), {measured(kKey, {81})});
  record_session(baseline, session_on("u1"), {fewer});
  EXPECT_EQ(last_epoch(baseline).figures.at("time").size(), 3u);
  EXPECT_EQ(last_epoch(baseline).figures.at("utilisation").size(), 1u);
}

// As SM cycles were, for files that were recorded before.
CaseSession with_busy_time(const std::vector<double>& figures) {
  CaseSession out = measured(kKey, figures);
  out.metrics["busy_time"] = {testing_support::metric_in("us", true), figures};
  return out;
}

TEST(RecordSession, JudgesANewMetricFromItsFirstAnchorSessionOn) {
  Baseline baseline;
  baseline.device = {"cpu", "a machine", {}};
  record_session(baseline, session_on("u1"), {measured(kKey, {81})});
  const std::string id = record_session(baseline, session_on("u1"), {with_busy_time({79})});
  EXPECT_TRUE(baseline.cases.at(kKey).metrics.at("busy_time").judged);
  EXPECT_THAT(last_epoch(baseline).figures.at("busy_time"), ElementsAre(testing::Key(id)));
  const auto document = to_json(baseline);
  EXPECT_EQ(to_json(baseline_from_json(JsonCursor(document, "b.json"))), document);
}

TEST(RecordSession, OnlyShowsANewMetricWhereNoAnchorHasIt) {
  Baseline baseline;
  for (int i = 0; i < kAnchorSessions; ++i) {
    record_session(baseline, session_on("u1"), {measured(kKey, {81})});
  }
  record_session(baseline, session_on("u1"), {with_busy_time({79})});
  EXPECT_FALSE(baseline.cases.at(kKey).metrics.at("busy_time").judged);
}

TEST(RecordSession, OnlyShowsANewMetricWhereTheRecordJudgesByAnother) {
  Baseline baseline;
  record_session(baseline, session_on("u1"), {measured(kKey, {81})});
  baseline.cases.at(kKey).metrics.at("utilisation").judged = true;
  record_session(baseline, session_on("u1"), {with_busy_time({79})});
  EXPECT_FALSE(baseline.cases.at(kKey).metrics.at("busy_time").judged);
}

TEST(RecordSession, KeepsWhatTheRecordSaysIsJudgedAndHow) {
  Baseline baseline;
  record_session(baseline, session_on("u1"), {measured(kKey, {81})});
  baseline.cases.at(kKey).metrics.at("time").statistic = Statistic::kBest;
  baseline.cases.at(kKey).metrics.at("utilisation").judged = true;
  record_session(baseline, session_on("u1"), {measured(kKey, {81})});
  EXPECT_EQ(baseline.cases.at(kKey).metrics.at("time").statistic, Statistic::kBest);
  EXPECT_TRUE(baseline.cases.at(kKey).metrics.at("utilisation").judged);
  EXPECT_EQ(last_epoch(baseline).figures.at("time").size(), 2u);
}

TEST(RecordSession, KeepsAToleranceThatSomebodySetByHand) {
  Baseline baseline;
  record_session(baseline, session_on("u1"), {measured(kKey, {81})});
  baseline.cases.at(kKey).metrics.at("time").tolerance = 0.1;
  record_session(baseline, session_on("u1"), {measured(kKey, {81})});
  EXPECT_EQ(baseline.cases.at(kKey).metrics.at("time").tolerance, 0.1);
  EXPECT_EQ(last_epoch(baseline).figures.at("time").size(), 2u);
}

TEST(RecordSession, KeepsItUnderAnotherProtocolWhereTheMetricIsJudgedAsItWas) {
  for (const Statistic now : {Statistic::kMedian, Statistic::kBest}) {
    Baseline baseline;
    record_session(baseline, session_on("u1"), {measured(kKey, {81})});
    baseline.cases.at(kKey).metrics.at("time").tolerance = 0.1;
    CaseSession other = measured(kKey, {70});
    auto& description = other.metrics.at("time").description;
    description.protocol["samples"] = std::int64_t{60};
    description.statistic = now;
    description.tolerance = 0.3;  // as choose_judged_metric sets it
    record_session(baseline, session_on("u1"), {other});
    EXPECT_EQ(baseline.cases.at(kKey).metrics.at("time").tolerance,
              now == Statistic::kMedian ? 0.1 : 0.3);
  }
}

TEST(RecordSession, LeavesCasesThatWereNotMeasuredAsTheyWere) {
  Baseline baseline = sample_baseline();
  const auto before = to_json(baseline);
  record_session(baseline, session_on("GPU-aa"), {measured(kOther, {9})});
  const auto after = to_json(baseline);
  EXPECT_EQ(after["cases"][kKey], before["cases"][kKey]);
  EXPECT_EQ(after["published"], before["published"]);
  EXPECT_EQ(after["device"], before["device"]);
  EXPECT_EQ(after["cases"].size(), 2u);
}

TEST(RecordSession, RefusesASessionWithoutACase) {
  Baseline baseline;
  EXPECT_THROW((void)record_session(baseline, session_on("u1"), {}), std::invalid_argument);
  EXPECT_TRUE(baseline.sessions.empty());
}

}  // namespace
}  // namespace perfgate
