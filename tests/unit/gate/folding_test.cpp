#include "perfgate/baseline/folding.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "fixtures/history_fixture.h"
#include "perfgate/baseline/session_value.h"
#include "perfgate/gate/history.h"

namespace perfgate {
namespace {

using testing_support::kClock;
using testing_support::kKey;
using testing_support::measurements_at;

// A case that is judged by its net time and by its cycles, with nine sessions on one device, of
// which five are references.
class Folding : public testing::Test {
 protected:
  Folding() {
    baseline_.device = {"cuda", "Test GPU", {}};
    record_.phases[Phase::kWhole] = {};
    for (const Metric metric : {kNetTime, kCycles}) {
      record_.metrics[metric] = {true, {}, "cuda/compute/long"};
    }
    record_.revisions = {{"first", "2026-11-20", {}, {}}};
    for (int i = 0; i < 9; ++i) {
      const double mhz = 1500 + 20 * (i % 4);
      const double slower = 1 + 0.003 * ((i * 5) % 7);
      sessions_.push_back(measurements_at({mhz, mhz + 5, mhz - 10 * (i % 2)}, 0.36, slower));
    }
    for (std::size_t i = 0; i < sessions_.size(); ++i) {
      add("s" + std::to_string(i), sessions_[i], i < kReferenceSessions);
    }
  }
  void add(const std::string& id, const SessionMeasurements& session, bool reference) {
    baseline_.sessions[id].device_id = "device";
    auto& revision = record_.revisions.back();
    if (!reference) {
      fold(id, "device", session, record_.metrics, kClock, revision);
      return;
    }
    revision.reference.push_back(id);
    for (const auto& [metric, measurements] : session) {
      revision.measurements[metric][id] = measurements;
    }
  }
  // What history_of tells, from every session as it was measured.
  struct FromAll {
    SumOfSquares between_sessions;
    SumOfSquares of_values;
  };
  [[nodiscard]] FromAll from_all(Metric metric) const {
    const auto clock = clock_response(record_.revisions.back(), metric, kClock);
    std::vector<double> values;
    FromAll out;
    for (const auto& session : sessions_) {
      const auto measurements = judged_measurements(session, metric, clock);
      values.push_back(session_value(measurements, better_of(metric), Statistic::kMedian));
      out.of_values += {value_variance(measurements, better_of(metric), Statistic::kMedian), 1};
    }
    out.between_sessions = deviations(values);
    return out;
  }

  Baseline baseline_;
  CaseRecord record_;
  std::vector<SessionMeasurements> sessions_;
};

TEST_F(Folding, TellsOfTheNoiseWhatTheSessionsThemselvesTell) {
  for (const Metric metric : {kNetTime, kCycles}) {
    const auto folded = history_of(baseline_, record_, metric, kClock);
    const auto all = from_all(metric);
    ASSERT_GT(all.between_sessions.sum, 0);
    EXPECT_NEAR(folded.between_sessions.sum / all.between_sessions.sum, 1, 1e-12);
    EXPECT_EQ(folded.between_sessions.degrees, 8);
    EXPECT_NEAR(folded.of_values.sum / all.of_values.sum, 1, 1e-12);
    EXPECT_EQ(folded.of_values.degrees, 9);
    EXPECT_EQ(folded.devices.at("device").all_sessions, 9);
  }
}

// A drift that is let in by one session after another must not move what is compared with.
TEST_F(Folding, LeavesTheReferenceValueAsItIs) {
  const auto before = history_of(baseline_, record_, kNetTime, kClock).devices.at("device").value;
  add("slow", measurements_at({1500, 1500, 1500}, 0.36, 1.5), /*reference=*/false);
  EXPECT_EQ(history_of(baseline_, record_, kNetTime, kClock).devices.at("device").value, before);
}

TEST_F(Folding, CountsASessionOfOneProcessButLearnsNoSpreadOfIt) {
  const auto before = record_.revisions.back().later.at("device").metrics.at(kNetTime);
  add("alone", measurements_at({1500}, 0.36), /*reference=*/false);
  const auto& later = record_.revisions.back().later.at("device");
  EXPECT_EQ(later.last, "alone");
  EXPECT_EQ(later.metrics.at(kNetTime).count, before.count + 1);
  EXPECT_EQ(later.metrics.at(kNetTime).several, before.several);
  EXPECT_EQ(later.metrics.at(kNetTime).within, before.within);
}

TEST_F(Folding, KeepsTheFarthestThatAnyProcessLay) {
  const auto before = record_.revisions.back().later.at("device").metrics.at(kNetTime).largest;
  SessionMeasurements torn = measurements_at({1500, 1500, 1500}, 0.36);
  torn[kNetTime][2] *= 1.5;
  torn[kCycles][2] *= 1.5;
  add("torn", torn, /*reference=*/false);
  EXPECT_LT(before.slowest, 0.1);
  EXPECT_NEAR(record_.revisions.back().later.at("device").metrics.at(kNetTime).largest.slowest,
              std::log(1.5), 1e-9);
}

TEST_F(Folding, LeavesOutWhatIsNotJudgedOrHasNoReference) {
  record_.metrics[kTime] = {false, {}, "cuda/compute/long"};
  record_.metrics[kBusyTime] = {true, {}, "cuda/compute/long"};
  fold("other", "other device", {{kTime, {1, 1, 1}}, {kBusyTime, {1, 1, 1}}}, record_.metrics,
       kClock, record_.revisions.back());
  EXPECT_TRUE(record_.revisions.back().later.at("other device").metrics.empty());
}

}  // namespace
}  // namespace perfgate
