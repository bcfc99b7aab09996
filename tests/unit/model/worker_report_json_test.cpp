#include "perfgate/model/worker_report_json.h"

#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "fixtures/message_of.h"
#include "perfgate/model/measured_range.h"

namespace perfgate {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

WorkerReport full_report() {
  WorkerReport out;
  out.case_key = "ops/mm/D64/eager";
  out.status = WorkerStatus::kWrong;
  out.message = "3 of 64 elements differ";
  out.metrics[kTime] = {81.25, true, "cpu/compute/short"};
  out.metrics[kUtilisation] = {0.5, false, "cpu/compute"};
  out.phases[Phase::kWhole].protocol = {
      {"flush", std::string("read")}, {kQueuedWhole, true}, {"samples", std::int64_t{30}}};
  out.phases[Phase::kWhole].traffic = {{4096}, {524288}, Bound::kCompute, true, 200};
  out.phases[Phase::kWhole].samples["time_us"] = {81.0, 81.5};
  out.ceilings[{"fma", Unit::kGflopPerS}] = 55.5;
  out.phases[Phase::kWhole].ceilings[{"triad", Unit::kGbPerS}] = 12.5;
  out.costs_s["prepare"] = 0.25;
  out.environment["libtorch"] = "2.13.0";
  out.phases[Phase::kWhole].outputs = {
      {true, Accuracy{std::nan(""), 0.5, {3, 17}, std::nan(""), 1.5, 0.001, 3, 64}}, {false}};
  out.phases[Phase::kBackward].trace = NoTrace{"no libcupti"};
  out.phases[Phase::kWhole].injected_percent = 3.125;
  out.compared_with = "sparse/tensor/dense";
  out.parameters = {{"m", std::int64_t{3072}}, {"dtype", std::string("fp16")}};
  out.tuning["algorithm"] = "37";
  out.kernel_sources["0123"] = "@triton.jit\n";
  out.package_tunings["a/x"] = {
      "2.11.0", "3.6.0", {{"model", {{"0123", "XBLOCK 2, 1 warps, 1 stages"}}}}};
  out.phases[Phase::kWhole].noisy = true;
  out.phases[Phase::kWhole].discarded = 7;
  return out;
}

/// Through text, as over the pipe.
WorkerReport sent(const WorkerReport& report) {
  const json received = json::parse(to_json(report).dump());
  return worker_report_from_json(JsonCursor(received, "pipe"));
}

/// The refusal of a full report that `change` has spoilt.
template <class Change>
std::string refusal_after(Change&& change) {
  json report = json::parse(to_json(full_report()).dump());
  change(report);
  return testing_support::message_of(
      [&] { (void)worker_report_from_json(JsonCursor(report, "pipe")); });
}

TEST(WorkerReportJson, BringsEveryFieldOfAFullReportAcross) {
  const WorkerReport want = full_report();
  const WorkerReport got = sent(want);
  EXPECT_EQ(got.case_key, want.case_key);
  EXPECT_EQ(got.status, want.status);
  EXPECT_EQ(got.message, want.message);
  EXPECT_EQ(got.compared_with, want.compared_with);
  EXPECT_EQ(got.parameters, want.parameters);
  EXPECT_EQ(got.tuning, want.tuning);
  EXPECT_EQ(got.kernel_sources, want.kernel_sources);
  EXPECT_EQ(got.package_tunings, want.package_tunings);
  ASSERT_EQ(got.metrics.size(), 2u);
  EXPECT_EQ(got.metrics.at(kTime).value, 81.25);
  EXPECT_TRUE(got.metrics.at(kTime).judged);
  EXPECT_EQ(got.metrics.at(kTime).variance_class, "cpu/compute/short");
  EXPECT_FALSE(got.metrics.at(kUtilisation).judged);
  const PhaseReport& part = got.phase(Phase::kWhole);
  EXPECT_EQ(part.protocol, want.phase(Phase::kWhole).protocol);
  EXPECT_EQ(part.traffic.bytes.count, 4096);
  EXPECT_EQ(part.traffic.operations.count, 524288);
  EXPECT_EQ(part.traffic.bound, Bound::kCompute);
  EXPECT_TRUE(part.traffic.integer);
  EXPECT_EQ(part.traffic.tokens, 200);
  EXPECT_EQ(part.samples, want.phase(Phase::kWhole).samples);
  EXPECT_EQ(got.ceilings, want.ceilings);
  EXPECT_EQ(part.ceilings, want.phase(Phase::kWhole).ceilings);
  EXPECT_EQ(got.costs_s, want.costs_s);
  EXPECT_EQ(got.environment, want.environment);
  EXPECT_EQ(part.injected_percent, 3.125);
  EXPECT_TRUE(part.noisy);
  EXPECT_EQ(part.discarded, 7);
  EXPECT_FALSE(part.trace.has_value());
  EXPECT_EQ(why_untraced(got.phase(Phase::kBackward)), "no libcupti");
  ASSERT_EQ(part.outputs.size(), 2u);
  EXPECT_FALSE(part.outputs[1].contiguous);
}

TEST(WorkerReportJson, BringsAccuracyAcrossWithItsNan) {
  const auto got = sent(full_report()).phase(Phase::kWhole).outputs.at(0).accuracy;
  ASSERT_TRUE(got.has_value());
  EXPECT_TRUE(std::isnan(got->max_absolute));
  EXPECT_EQ(got->max_relative, 0.5);
  EXPECT_THAT(got->worst_index, testing::ElementsAre(3, 17));
  EXPECT_TRUE(std::isnan(got->worst_actual));
  EXPECT_EQ(got->worst_expected, 1.5);
  EXPECT_EQ(got->allowed_at_worst, 0.001);
  EXPECT_EQ(got->wrong_elements, 3);
  EXPECT_EQ(got->elements, 64);
}

TEST(WorkerReportJson, LeavesOutWhatIsUnknown) {
  WorkerReport report = full_report();
  report.phases[Phase::kWhole].outputs.clear();
  report.phases[Phase::kWhole].injected_percent.reset();
  const WorkerReport got = sent(report);
  EXPECT_TRUE(got.phase(Phase::kWhole).outputs.empty());
  EXPECT_FALSE(got.phase(Phase::kWhole).injected_percent.has_value());
}

TEST(WorkerReportJson, KnowsEveryStatusAndBound) {
  for (const auto status : {WorkerStatus::kMeasured, WorkerStatus::kWrong,
                            WorkerStatus::kUnsupported, WorkerStatus::kError}) {
    for (const auto bound : {Bound::kMemory, Bound::kCompute}) {
      WorkerReport report = full_report();
      report.status = status;
      report.phases[Phase::kWhole].traffic.bound = bound;
      EXPECT_EQ(sent(report).status, status);
      EXPECT_EQ(sent(report).phase(Phase::kWhole).traffic.bound, bound);
    }
  }
}

TEST(WorkerReportJson, RefusesUnknownKeysAtEveryLevel) {
  EXPECT_THAT(refusal_after([](json& report) { report["extra"] = 1; }),
              HasSubstr("pipe: at \"/extra\": unknown key"));
  EXPECT_THAT(refusal_after([](json& report) { report["metrics"]["time"]["extra"] = 1; }),
              HasSubstr("at \"/metrics/time/extra\": unknown key"));
  EXPECT_THAT(refusal_after([](json& report) {
                report["phases"]["whole"]["outputs"][0]["accuracy"]["extra"] = 1;
              }),
              HasSubstr("at \"/phases/whole/outputs/0/accuracy/extra\": unknown key"));
  EXPECT_THAT(
      refusal_after([](json& report) { report["phases"]["whole"]["traffic"]["extra"] = 1; }),
      HasSubstr("at \"/phases/whole/traffic/extra\": unknown key"));
}

TEST(WorkerReportJson, RefusesWordsItDoesNotKnow) {
  EXPECT_THAT(refusal_after([](json& report) { report["status"] = "fine"; }),
              HasSubstr("at \"/status\": \"fine\" is none of measured"));
  EXPECT_THAT(refusal_after(
                  [](json& report) { report["phases"]["whole"]["traffic"]["bound"] = "network"; }),
              HasSubstr("at \"/phases/whole/traffic/bound\": \"network\" is none of"));
  EXPECT_THAT(refusal_after([](json& report) { report["metrics"]["time"]["unit"] = "cycles"; }),
              HasSubstr("at \"/metrics/time/unit\": time is in us"));
}

TEST(WorkerReportJson, RefusesAMeasurementThatIsNotAboveZero) {
  for (const double value : {0.0, -81.0}) {
    EXPECT_THAT(refusal_after([=](json& report) { report["metrics"]["time"]["value"] = value; }),
                HasSubstr("at \"/metrics/time/value\": expected a number above 0"));
  }
}

TEST(WorkerReportJson, TakesZeroOfADerivedMeasurementAndNothingBelow) {
  WorkerReport report = full_report();
  auto& gap = report.metrics[kGap];
  gap = {0, false, "cuda/memory/short"};  // a single kernel has no gap
  gap.derived = true;
  EXPECT_EQ(sent(report).metrics.at(kGap).value, 0);
  gap.value = -1;
  EXPECT_THAT(testing_support::message_of([&] { (void)sent(report); }),
              HasSubstr("at \"/metrics/gap/value\": expected a number of at least 0"));
}

TEST(WorkerReportJson, RefusesWhatIsMissingOrOfTheWrongType) {
  EXPECT_THAT(refusal_after([](json& report) { report["phases"]["whole"].erase("samples"); }),
              HasSubstr("\"samples\" is missing"));
  EXPECT_THAT(refusal_after([](json& report) {
                report["phases"]["whole"]["samples"]["time_us"][1] = nullptr;
              }),
              HasSubstr("at \"/phases/whole/samples/time_us/1\": expected a number"));
  EXPECT_THAT(refusal_after(
                  [](json& report) { report["phases"]["whole"]["protocol"][kQueuedWhole] = 1.5; }),
              HasSubstr("at \"/phases/whole/protocol/queued_whole\": expected"));
}

TEST(WorkerReportJson, MeasurementsKeepToTheRangeInWhichEveryRatioIsANumber) {
  const auto with = [](double value) {
    return refusal_after([&](json& report) { report["metrics"]["time"]["value"] = value; });
  };
  for (const double value : {1e-320, 9.9e-13, 1.01e15, 1e308}) {
    EXPECT_THAT(with(value), AllOf(HasSubstr("at \"/metrics/time/value\": is "),
                                   HasSubstr("below 1e-12 or above 1e+15"),
                                   HasSubstr("mend: say it in another unit")));
  }
  WorkerReport report = full_report();
  for (const double value : {kLeastMeasured, kMostMeasured}) {
    report.metrics[kTime].value = value;
    EXPECT_EQ(sent(report).metrics.at(kTime).value, value);
  }
}

TEST(WorkerReportJson, WhateverElseIsANumberKeepsToItToo) {
  for (const char* place :
       {"/metrics/time/tolerance", "/phases/whole/traffic/bytes",
        "/phases/whole/traffic/operations", "/phases/whole/traffic/tokens",
        "/phases/whole/samples/time_us/0", "/phases/whole/injected_percent",
        "/phases/whole/ceilings/triad_gb_per_s", "/ceilings/fma_gflop_per_s", "/costs_s/prepare"}) {
    EXPECT_THAT(refusal_after([&](json& report) { report[json::json_pointer(place)] = 1e31; }),
                HasSubstr(std::string("at \"") + place + "\""));
  }
}

}  // namespace
}  // namespace perfgate
