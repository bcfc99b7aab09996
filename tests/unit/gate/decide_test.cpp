#include "perfgate/gate/decide.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "fixtures/decide_fixture.h"
#include "perfgate/core/files.h"
#include "perfgate/core/json.h"

namespace perfgate {
namespace {

using testing_support::baseline_of;
using testing_support::judged_metric;
using testing_support::kKey;
using testing_support::kMetric;

using Decide = testing_support::DecideTest;

TEST_F(Decide, PassesAndFailsByTheJudge) {
  EXPECT_EQ(decided({measured(100)}).verdict, Verdict::kPass);
  EXPECT_EQ(decided({measured(110)}).verdict, Verdict::kRegressed);
  EXPECT_EQ(decided({measured(90)}).verdict, Verdict::kImproved);
}

TEST_F(Decide, GivesAWrongAnswerNoTimingVerdict) {
  const auto outcome = decided({measured(100), failed(WorkerStatus::kWrong)});
  EXPECT_EQ(outcome.verdict, Verdict::kWrong);
  EXPECT_TRUE(outcome.judgements.empty());
  EXPECT_EQ(outcome.message, "why");
}

TEST_F(Decide, CallsARecordedCaseThatNoLongerRunsLost) {
  EXPECT_EQ(decided({failed(WorkerStatus::kUnsupported)}).verdict, Verdict::kLost);
  baseline_.cases.clear();
  EXPECT_EQ(decided({failed(WorkerStatus::kUnsupported)}).verdict, Verdict::kUnsupported);
}

TEST_F(Decide, KeepsAnErrorAnErrorWhetherRecordedOrNot) {
  EXPECT_EQ(decided({failed(WorkerStatus::kError)}).verdict, Verdict::kError);
  baseline_.cases.clear();
  EXPECT_EQ(decided({failed(WorkerStatus::kError)}).verdict, Verdict::kError);
}

TEST_F(Decide, HasNoBaselineForACaseThatIsNotRecorded) {
  baseline_.cases.clear();
  EXPECT_EQ(decided({measured(100)}).verdict, Verdict::kNoBaseline);
}

TEST_F(Decide, NeverComparesMeasurementsOfAnotherProtocol) {
  auto report = measured(500);
  report.phases[Phase::kWhole].protocol["samples"] = std::int64_t{31};
  const auto outcome = decided({report});
  EXPECT_EQ(outcome.verdict, Verdict::kNoBaseline);
  EXPECT_TRUE(outcome.judgements.empty());
  EXPECT_NE(outcome.message.find("samples 30, now 31"), std::string::npos) << outcome.message;
}

TEST_F(Decide, CallsAJudgedMetricThatIsGoneLost) {
  auto report = measured(100);
  report.metrics.clear();
  EXPECT_EQ(decided({report}).verdict, Verdict::kLost);
}

TEST_F(Decide, JudgesCyclesByWorkersThatTellTheirTimeToo) {
  auto& record = baseline_.cases[kKey];
  record.metrics[kCycles] = judged_metric();
  for (const auto& [id, times] : record.revisions[0].measurements.at(kMetric)) {
    record.revisions[0].measurements[kCycles][id] = {150000};
  }
  policy_.mde_limits["cuda"] = {10, 10, "a test"};
  auto report = measured(100);
  report.metrics[kCycles] = {150000, true, "cuda/memory/long"};
  EXPECT_EQ(decided({report}).verdict, Verdict::kPass);
  report.metrics[kCycles].value = 165000;
  report.metrics[kMetric].value = 110;
  const auto slower = decided({report});
  EXPECT_EQ(slower.verdict, Verdict::kRegressed);
  EXPECT_NEAR(slower.judgement_of(kCycles)->change, 0.1, 1e-9);
  record.metrics[kMetric].judged = false;
  report.metrics.erase(kMetric);
  EXPECT_EQ(decided({report}).verdict, Verdict::kLost);
}

// A tracer that is broken would otherwise drop every case that is judged by busy time.
TEST_F(Decide, CallsAMissingKernelTraceAnUnfitMachine) {
  auto now = measured(100);
  now.metrics.clear();
  now.phases[Phase::kWhole].trace = NoTrace{"libcupti.so.13: cannot open shared object file"};
  const auto outcome = decided({now});
  EXPECT_EQ(outcome.verdict, Verdict::kMachineInvalid);
  EXPECT_NE(outcome.message.find("needs a kernel trace: libcupti.so.13"), std::string::npos);
  now.metrics = measured(100).metrics;  // what is not judged by the trace needs none
  EXPECT_EQ(decided({now}).verdict, Verdict::kPass);
}

// A body that begins to synchronise, as with PYTORCH_NO_CUDA_MEMORY_CACHING=1.
TEST_F(Decide, FailsACaseThatCanNoLongerBeQueuedWhole) {
  auto& record = baseline_.cases[kKey];
  record.phases[Phase::kWhole].protocol[kQueuedWhole] = true;
  record.metrics[kCycles] =
      record.metrics[kMetric];  // measured of bodies alone that are queued whole
  for (const auto& [id, times] : record.revisions[0].measurements.at(kMetric)) {
    record.revisions[0].measurements[kCycles][id] = {150000};
  }
  auto queued = measured(100);
  queued.phases[Phase::kWhole].protocol[kQueuedWhole] = true;
  queued.metrics[kCycles] = {150000, true, "cuda/memory/long"};
  auto launch_bound = measured(2000);
  launch_bound.phases[Phase::kWhole].protocol[kQueuedWhole] = false;
  policy_.mde_limits["cuda"] = {10, 10, "a test"};
  EXPECT_EQ(decided({queued}).verdict, Verdict::kPass);
  const auto outcome = decided({launch_bound, launch_bound, queued});
  EXPECT_EQ(outcome.verdict, Verdict::kRegressed);
  EXPECT_EQ(outcome.message.rfind("it can no longer be queued before it runs in 2 of 3", 0), 0U);
  EXPECT_NEAR(outcome.judgement_of(kMetric)->now, 2000, 1e-6);
  EXPECT_EQ(decided({launch_bound}).verdict, Verdict::kRegressed);
  auto as_fast = measured(100);
  as_fast.phases[Phase::kWhole].protocol[kQueuedWhole] = false;
  EXPECT_EQ(decided({as_fast, as_fast}).verdict, Verdict::kRegressed);
  EXPECT_EQ(decided({as_fast, queued, queued}).verdict, Verdict::kUnsteady);
  auto slower = queued;  // and what is slower as well has regressed, whatever one process does
  slower.metrics[kMetric].value = 120;
  EXPECT_EQ(decided({as_fast, slower, slower}).verdict, Verdict::kRegressed);
}

TEST_F(Decide, CallsACaseThatNeedNotWaitForTheHostAnyMoreImproved) {
  baseline_.cases[kKey].phases[Phase::kWhole].protocol[kQueuedWhole] = false;
  auto queued = measured(100);
  queued.phases[Phase::kWhole].protocol[kQueuedWhole] = true;
  EXPECT_EQ(decided({queued}).verdict, Verdict::kImproved);
  queued.metrics[kMetric].value = 130;
  EXPECT_EQ(decided({queued}).verdict, Verdict::kRegressed);
}

// A network whose backward pass alone got slower.
TEST_F(Decide, JudgesEachPhaseByItself) {
  auto& record = baseline_.cases[kKey];
  const auto references = record.revisions[0].measurements.at(kMetric);
  record = {};
  record.revisions = {{"first", "2026-11-20", {}, {}}};
  WorkerReport report = measured(100);
  report.metrics.clear();
  report.phases.clear();
  for (const Phase phase : {Phase::kForward, Phase::kBackward}) {
    record.phases[phase].protocol = testing_support::sample_protocol();
    record.metrics[kNetTime.in(phase)] = judged_metric();
    record.revisions[0].measurements[kNetTime.in(phase)] = references;
    report.phases[phase].protocol = testing_support::sample_protocol();
    report.metrics[kNetTime.in(phase)] = {100, true, "cuda/memory/long"};
  }
  for (const auto& [id, measurements] : references) {
    record.revisions[0].reference.push_back(id);
  }
  EXPECT_EQ(decided({report}).verdict, Verdict::kPass);
  report.metrics[kNetTime.in(Phase::kBackward)].value = 130;
  const auto outcome = decided({report});
  EXPECT_EQ(outcome.verdict, Verdict::kRegressed);
  EXPECT_EQ(outcome.deciding()->metric, kNetTime.in(Phase::kBackward));
  EXPECT_EQ(outcome.deciding(Phase::kForward)->verdict, Verdict::kPass);
  WorkerReport one_less = report;
  one_less.phases.erase(Phase::kForward);
  one_less.metrics.erase(kNetTime.in(Phase::kForward));
  EXPECT_EQ(decided({one_less}).verdict, Verdict::kNoBaseline) << "of another protocol: none";
  WorkerReport one_more = report;
  one_more.phases[Phase::kDecode] = report.phases.at(Phase::kForward);
  EXPECT_EQ(decided({one_more}).verdict, Verdict::kNoBaseline) << "nothing judges what is new";
  EXPECT_TRUE(decided({one_more}).other_protocol);
  // One that improved does not hide another whose MDE is too large.
  report.metrics[kNetTime.in(Phase::kBackward)].value = 70;
  EXPECT_EQ(decided({report}).verdict, Verdict::kImproved);
  policy_.mde_limits["cuda"] = {1e-6, 1e-6, "a test"};
  EXPECT_EQ(decided({report}).verdict, Verdict::kBlind);
}

TEST_F(Decide, IsBlindWhereOnlyWhatStandsBesideTheTimeImproved) {
  baseline_ = baseline_of({{"A", {100}}, {"A", {100}}, {"A", {100}}});
  policy_ = testing_support::policy_with({0.3 * 0.3, 100}, {1e-6, 100});
  constexpr Metric kMemory{Phase::kWhole, Quantity::kPeakMemory};
  auto& record = baseline_.cases[kKey];
  record.metrics[kMemory] = {true, {}, "cuda/memory/short"};
  for (const auto& id : record.revisions[0].reference) {
    record.revisions[0].measurements[kMemory][id] = {1000};
  }
  policy_.classes["cuda/memory/short"] =
      testing_support::policy_with({1e-6, 100}, {1e-6, 100}).class_of("cuda/memory/long");
  auto report = measured(100);
  report.metrics[kMemory] = {500, true, "cuda/memory/short"};
  EXPECT_EQ(decided({report}).verdict, Verdict::kBlind);
}

TEST_F(Decide, CallsARecordedCaseSlowerThatIsKilledForItsLength) {
  auto& record = baseline_.cases[kKey];
  record.metrics[kTime] = {false, {}, "cuda/memory/long"};
  for (const auto& id : record.revisions[0].reference) {
    record.revisions[0].measurements[kTime][id] = {8000};  // 8 ms
  }
  auto killed = failed(WorkerStatus::kError);
  killed.message = "worker: no result within 120 s: killed";
  EXPECT_EQ(decided({killed}).verdict, Verdict::kError) << "it does not say why it was killed";
  killed.killed_after_s = 120;
  const auto outcome = decided({killed});
  EXPECT_EQ(outcome.verdict, Verdict::kRegressed);
  EXPECT_NE(outcome.message.find("slower by a factor of 3000 at least, or hangs"),
            std::string::npos)
      << outcome.message;
  for (auto& [id, times] : record.revisions[0].measurements[kTime]) {
    times = {20e6};  // 20 s
  }
  EXPECT_EQ(decided({killed}).verdict, Verdict::kError) << "its runs may have taken as long before";
  baseline_.cases.clear();
  EXPECT_EQ(decided({killed}).verdict, Verdict::kError) << "nobody knows what it took";
}

TEST_F(Decide, PassesNothingWhoseMdeIsLargerThanThePolicyAllows) {
  baseline_ = baseline_of({{"A", {100}}, {"A", {100}}, {"A", {100}}});
  policy_ = testing_support::policy_with({0.3 * 0.3, 100}, {1e-6, 100});
  const auto outcome = decided({measured(101)});
  EXPECT_EQ(outcome.verdict, Verdict::kBlind);
  EXPECT_NE(outcome.message.find("the policy allows 50.0 %"), std::string::npos);
  EXPECT_EQ(decided({measured(1000)}).verdict, Verdict::kRegressed);  // which it did see
  policy_ = testing_support::policy_with({0.01 * 0.01, 100}, {1e-6, 100});
  EXPECT_EQ(decided({measured(101)}).verdict, Verdict::kPass);
}

// A compiler shares its host: its time says what it can, and fails no night that could say little.
TEST_F(Decide, JudgesCompileTimeAsCoarselyAsItsHostAllows) {
  constexpr Metric kCompileTime = kTime.in(Phase::kCompile);
  auto& record = baseline_.cases[kKey];
  record.phases[Phase::kCompile].protocol = {{"caches", "empty"}};
  record.metrics[kCompileTime] = {true, 0.15, "cuda/compile"};
  const std::string first = record.revisions[0].reference.front();
  record.revisions[0].measurements[kCompileTime] = {{first, {2e7}}};
  policy_.classes["cuda/compile"] = {{0.3 * 0.3, 20}, {0.3 * 0.3, 20}, "a test"};
  auto report = measured(100);
  report.phases[Phase::kCompile].protocol = {{"caches", "empty"}};
  const auto verdict_with = [&](double compile_us) {
    report.metrics[kCompileTime] = {compile_us, true, "cuda/compile"};
    return decided({report}).verdict;
  };
  EXPECT_EQ(verdict_with(2.5e7), Verdict::kPass);
  EXPECT_EQ(verdict_with(2e9), Verdict::kRegressed);
  policy_.classes["cuda/compile"] = {{0.01 * 0.01, 20}, {0.01 * 0.01, 20}, "a test"};
  EXPECT_EQ(verdict_with(2.2e7), Verdict::kPass) << "within its own tolerance";
  EXPECT_EQ(verdict_with(2.5e7), Verdict::kRegressed);
}

// Of one night's hundred judged values.
TEST_F(Decide, FindsADoubledCompileTimeByThePolicyThatIsCheckedIn) {
  constexpr Metric kCompileTime = kTime.in(Phase::kCompile);
  const std::string path = PERFGATE_SOURCE_DIR "/baselines/policy.json";
  const auto document = parse_strict(read_file(path), path);
  const Policy checked_in = policy_from_json(JsonCursor(document, path));
  for (const std::string kind : {"cpu/compile", "cuda/compile"}) {
    baseline_ = baseline_of({{"A", {100}}, {"A", {100}}, {"A", {100}}});
    for (int i = 0; i < 100; ++i) {
      baseline_.cases["ops/other/" + std::to_string(i)] = baseline_.cases[kKey];
    }
    auto& record = baseline_.cases[kKey];
    record.phases[Phase::kCompile].protocol = {{"caches", "empty"}};
    record.metrics[kCompileTime] = {true, 0.15, kind};
    for (const auto& id : record.revisions[0].reference) {
      record.revisions[0].measurements[kCompileTime][id] = {2e7};
    }
    policy_.classes[kind] = checked_in.class_of(kind);
    auto report = measured(100);
    report.phases[Phase::kCompile].protocol = {{"caches", "empty"}};
    report.metrics[kCompileTime] = {2.4e7, true, kind};
    EXPECT_EQ(decided({report}).verdict, Verdict::kPass) << kind;
    report.metrics[kCompileTime].value = 4e7;
    EXPECT_EQ(decided({report}).verdict, Verdict::kRegressed) << kind;
  }
}

// A change of memory by more than its own tolerance is one, and its small MDE makes nothing pass
// whose time could not be judged.
TEST_F(Decide, JudgesPeakMemoryBesideTime) {
  auto& record = baseline_.cases[kKey];
  record.metrics[kPeakMemory] = {true, 0.01, "cuda/peak_memory"};
  for (const auto& [id, times] : record.revisions[0].measurements.at(kMetric)) {
    record.revisions[0].measurements[kPeakMemory][id] = {2e9};
  }
  policy_.classes["cuda/peak_memory"] = {{1e-8, 4}, {1e-8, 4}, "a test"};
  auto report = measured(100);
  const auto verdict_with = [&](double bytes) {
    report.metrics[kPeakMemory] = {bytes, true, "cuda/peak_memory"};
    return decided({report}).verdict;
  };
  EXPECT_EQ(verdict_with(2e9), Verdict::kPass);
  EXPECT_EQ(verdict_with(2.015e9), Verdict::kPass);  // 0.75 %
  EXPECT_EQ(verdict_with(2.03e9), Verdict::kRegressed);
  EXPECT_EQ(verdict_with(1.97e9), Verdict::kImproved);
  policy_.classes[judged_metric().variance_class] = {{0.3 * 0.3, 100}, {1e-6, 100}, "a test"};
  EXPECT_EQ(verdict_with(2e9), Verdict::kBlind);
}

TEST_F(Decide, LetsTheWorstOfSeveralMetricsDecide) {
  auto& record = baseline_.cases[kKey];
  record.metrics[kHostTime] = judged_metric();
  record.revisions[0].measurements[kHostTime] = record.revisions[0].measurements[kMetric];
  auto report = measured(90);  // improved
  report.metrics[kHostTime] = {120, true, "cuda/memory/long"};
  const auto outcome = decided({report});
  EXPECT_EQ(outcome.verdict, Verdict::kRegressed);
  ASSERT_NE(outcome.deciding(), nullptr);
  EXPECT_EQ(outcome.deciding()->metric, kHostTime);
}

}  // namespace
}  // namespace perfgate
