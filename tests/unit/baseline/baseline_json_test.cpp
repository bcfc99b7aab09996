#include "perfgate/baseline/baseline_json.h"

#include <gmock/gmock.h>

#include "fixtures/message_of.h"
#include "fixtures/sample_baseline.h"

namespace perfgate {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing_support::full_baseline;
using testing_support::kKey;
using testing_support::sample_baseline;

constexpr const char* kCases = "cases/ops.json";
constexpr const char* kKernels = "kernels/ops.json";

Baseline read_back(const Baseline& baseline) {
  return baseline_from_files(to_files(baseline), "b");
}

TEST(BaselineFiles, AreReadBackAsTheyWereWritten) {
  EXPECT_EQ(to_files(read_back(full_baseline())), to_files(full_baseline()));
}

TEST(BaselineFiles, AreOfTheDeviceOfEachFamilyAndOfItsKernels) {
  Baseline baseline = full_baseline();
  baseline.cases["sparse/x"] = sample_baseline().cases.at(kKey);
  std::vector<std::string> names;
  for (const auto& [name, text] : to_files(baseline)) {
    EXPECT_TRUE(is_baseline_file(name)) << name;
    names.push_back(name);
  }
  EXPECT_THAT(
      names, ElementsAre(kCases, "cases/sparse.json", "device.json", kKernels, "tunings/ops.json"));
  for (const char* name : {"journal.json", "cases/../x.json", "cases/a/b.json", "notes.txt"}) {
    EXPECT_FALSE(is_baseline_file(name)) << name;
  }
}

TEST(BaselineFiles, HoldEveryField) {
  const Baseline got = read_back(full_baseline());
  EXPECT_EQ(got.device.kind, "cuda");
  EXPECT_EQ(got.device.model, "NVIDIA H200");
  EXPECT_EQ(got.device.peaks.at({"dram_read", Unit::kGbPerS}).value, 4800);
  EXPECT_EQ(got.device.peaks.at({"dram_read", Unit::kGbPerS}).source, "datasheet");
  const auto& session = got.sessions.at("2026-11-20-aa-01");
  EXPECT_EQ(session.date, "2026-11-20T02:00:00Z");
  EXPECT_EQ(session.device_id, "GPU-aa");
  EXPECT_EQ(session.host, "host1");
  EXPECT_EQ(session.commit, "0789c4b");
  EXPECT_EQ(session.libtorch, "2.13.0");
  EXPECT_EQ(session.compiler, "GCC 12.2");
  EXPECT_EQ(session.driver, "580.159.04");
  EXPECT_EQ(session.cuda, "13.0");
  EXPECT_EQ(session.settings,
            (std::map<std::string, std::string>{{"cudnn", "91002"}, {"OMP_PROC_BIND", "true"}}));
  EXPECT_EQ(session.ceilings.at({"dram", Unit::kGbPerS}), 4430);
  EXPECT_FALSE(got.sessions.at("2026-11-21-bb-01").driver.has_value());
  const auto& phase = got.cases.at(kKey).phases.at(Phase::kWhole);
  EXPECT_EQ(phase.protocol.at("samples"), ProtocolSetting(std::int64_t{30}));
  EXPECT_EQ(phase.protocol.at(kQueuedWhole), ProtocolSetting(true));
  ASSERT_EQ(phase.kernels.size(), 1U);
  EXPECT_EQ(phase.kernels[0].name, "copy");
  const auto& metric = got.cases.at(kKey).metrics.at(kTime);
  EXPECT_TRUE(metric.judged);
  EXPECT_EQ(metric.tolerance, 0.03);
  EXPECT_EQ(metric.variance_class, "cpu/memory");
}

TEST(BaselineFiles, HoldWhatPackagesWereTunedTo) {
  EXPECT_EQ(read_back(full_baseline()).package_tunings, full_baseline().package_tunings);
  EXPECT_EQ(full_baseline().package_tunings.size(), 1U);
  EXPECT_TRUE(read_back(sample_baseline()).package_tunings.empty());  // of before
}

TEST(BaselineFiles, HoldEveryFieldOfARevision) {
  const Baseline got = read_back(full_baseline());
  const auto& revision = got.cases.at(kKey).revisions.at(0);
  EXPECT_EQ(revision.reason, "first");
  EXPECT_EQ(revision.date, "2026-11-20");
  EXPECT_EQ(revision.tuning, (Tuning{{"algorithm", "37"}}));
  EXPECT_THAT(revision.reference, ElementsAre("2026-11-20-aa-01", "2026-11-21-bb-01"));
  EXPECT_THAT(revision.measurements.at(kTime).at("2026-11-20-aa-01"), ElementsAre(81.0, 81.5));
  EXPECT_EQ(revision.later.at("GPU-bb").last, "2026-11-21-bb-01");
  const auto& later = revision.later.at("GPU-bb").metrics.at(kTime);
  EXPECT_EQ(later.count, 7);
  EXPECT_EQ(later.mean, 81.5);
  EXPECT_EQ(later.squares, 0.002);
  EXPECT_EQ(later.several, 6);
  EXPECT_EQ(later.within, 0.0004);
  EXPECT_EQ(later.largest.slowest, 0.03);
  EXPECT_EQ(later.largest.typical, 0.01);
  EXPECT_THAT(revision.found_as_fast, ElementsAre(Build{"2.14.0", "0123456789ab"}));
}

// Or a refresh would show which session came first by its name.
TEST(BaselineFiles, KeepTheFirstSessionFirst) {
  Baseline baseline = full_baseline();
  auto& reference = baseline.cases.at(kKey).revisions.back().reference;
  std::swap(reference[0], reference[1]);
  EXPECT_EQ(read_back(baseline).cases.at(kKey).revisions.back().reference.front(),
            "2026-11-21-bb-01");
}

TEST(BaselineFiles, TakeALineAReferenceSessionAndALineADevice) {
  Baseline baseline = full_baseline();
  for (auto& [id, measurements] : baseline.cases.at(kKey).revisions.back().measurements.at(kTime)) {
    measurements.assign(20, 81.5);
  }
  const std::string text = to_files(baseline).at(kCases);
  EXPECT_THAT(text, HasSubstr("\n            \"2026-11-20-aa-01\": {\"time\": [81.5, 81.5"));
  EXPECT_THAT(text, HasSubstr("\n            \"2026-11-21-bb-01\": {\"time\": [81.5, 81.5"));
  EXPECT_THAT(text, HasSubstr(R"({"last": "2026-11-21-bb-01", "time": [7, 81.5,)"));
}

TEST(BaselineFiles, OfAPhaseNameIt) {
  Baseline baseline = full_baseline();
  auto& record = baseline.cases.at(kKey);
  record.phases = {{Phase::kForward, record.phases.at(Phase::kWhole)},
                   {Phase::kBackward, record.phases.at(Phase::kWhole)}};
  const auto measurements = record.revisions.back().measurements.at(kTime);
  record.revisions.back().measurements.clear();
  record.revisions.back().later.clear();
  record.metrics.clear();
  for (const Phase phase : {Phase::kForward, Phase::kBackward}) {
    record.metrics[kTime.in(phase)] = testing_support::metric_of(true);
    record.revisions.back().measurements[kTime.in(phase)] = measurements;
  }
  EXPECT_EQ(to_files(read_back(baseline)), to_files(baseline));
  EXPECT_THAT(to_files(baseline).at(kCases), HasSubstr("\"backward.time\": [81.0, 81.5]"));
  EXPECT_EQ(read_back(baseline).cases.at(kKey).phase(Phase::kBackward).kernels.size(), 1U);
}

TEST(Baseline, NamesEveryDeviceOnce) {
  Baseline baseline = sample_baseline();
  baseline.cases["ops/mm/D64/eager"] = baseline.cases.at(kKey);
  baseline.sessions["2026-11-22-bb-01"] = baseline.sessions.at("2026-11-21-bb-01");
  EXPECT_THAT(devices_of(baseline), testing::ElementsAre("GPU-aa", "GPU-bb"));
}

// Three sessions of one device, the last of which took so long.
Baseline with_third_session_of(double time_us) {
  Baseline baseline = full_baseline();
  for (const char* id : {"2026-11-22-aa-01", "2026-11-23-aa-01"}) {
    baseline.sessions[id] = baseline.sessions.at("2026-11-20-aa-01");
    auto& revision = baseline.cases.at(kKey).revisions.back();
    revision.reference.emplace_back(id);
    revision.measurements[kTime][id] = {id[9] == '2' ? 81.0 : time_us};
  }
  return baseline;
}

std::string refusal_of(const Baseline& baseline) {
  return testing_support::message_of([&] { (void)read_back(baseline); });
}

TEST(BaselineFiles, RefuseTwoSessionsOfOneDeviceThatCannotBothBe) {
  EXPECT_THAT(refusal_of(with_third_session_of(729)),
              HasSubstr("session \"2026-11-23-aa-01\" of \"time\" is a factor of 8.97"));
  EXPECT_THAT(refusal_of(with_third_session_of(162)), HasSubstr("is a factor of 1.99"));
}

TEST(BaselineFiles, LeaveACpuMoreForOthersUseIt) {
  Baseline baseline = with_third_session_of(162);
  baseline.device.kind = "cpu";
  EXPECT_NO_THROW((void)read_back(baseline));
  baseline = with_third_session_of(250);
  baseline.device.kind = "cpu";
  EXPECT_THAT(refusal_of(baseline), HasSubstr("is a factor of 3.0"));
}

}  // namespace
}  // namespace perfgate
