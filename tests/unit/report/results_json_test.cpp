#include "perfgate/report/results_json.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <ostream>

#include "fixtures/message_of.h"
#include "fixtures/outcomes.h"
#include "perfgate/core/json.h"
#include "perfgate/core/readable_json.h"

namespace perfgate {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing_support::judged;
using testing_support::run_of;
using testing_support::unjudged;
using testing_support::wrong;

Run full_run() {
  Outcome refreshed = judged(Verdict::kImproved, "a/D1/eager");
  refreshed.recorded = Recorded::kRevision;
  Run out = run_of({judged(), refreshed, wrong(), unjudged(Verdict::kLost, "gone", "a/lost")});
  out.info.environment["governor"] = "performance";
  out.info.session.ceilings[{"dram", Unit::kGbPerS}] = 4430;
  out.info.local_baseline = true;
  out.info.refresh = true;
  out.partial = true;
  out.global = {testing_support::global_change()};
  out.moved = "driver 580 -> 590";
  return out;
}

json document_of(const Run& run) { return parse_strict(dump_readable(to_json(run)), "r.json"); }

Run read_back(const Run& run) {
  const json document = document_of(run);
  return run_from_json(JsonCursor(document, "r.json"));
}

TEST(ResultsJson, IsReadBackAsItWasWritten) {
  EXPECT_EQ(document_of(read_back(full_run())), document_of(full_run()));
}

TEST(ResultsJson, ReadsWhatAllCasesShowTogether) {
  const auto got = read_back(full_run());
  ASSERT_EQ(got.global.size(), 1U);
  EXPECT_EQ(got.global[0].variance_class, "cuda/memory/long");
  EXPECT_EQ(got.global[0].change, 0.019);
  EXPECT_EQ(got.moved, "driver 580 -> 590");
}

TEST(ResultsJson, KeepsWhatTheDeviceDoesToSiblings) {
  auto run = full_run();
  run.outcomes[0].judgements[0].effect = {0.008, 1e-8, 23};
  const auto got = read_back(run).outcomes[0].judgements[0];
  ASSERT_TRUE(got.effect);
  EXPECT_EQ(got.effect->value, 0.008);
  EXPECT_EQ(got.effect->variance, 1e-8);
  EXPECT_EQ(got.effect->siblings, 23);
  EXPECT_FALSE(read_back(full_run()).outcomes[0].judgements[0].effect);
}

TEST(ResultsJson, KeepsTheClocksOfCycles) {
  auto run = full_run();
  run.outcomes[0].judgements[0].clock_mhz = {1517, 1590};
  const auto got = read_back(run).outcomes[0].judgements[0];
  ASSERT_TRUE(got.clock_mhz);
  EXPECT_EQ(got.clock_mhz->now, 1517);
  EXPECT_EQ(got.clock_mhz->before, 1590);
  EXPECT_FALSE(read_back(full_run()).outcomes[0].judgements[0].clock_mhz);
}

TEST(ResultsJson, KeepsTheMedianBesideTheBest) {
  auto run = full_run();
  run.outcomes[0].judgements[0].median = 81.5;
  EXPECT_EQ(read_back(run).outcomes[0].judgements[0].median, 81.5);
  EXPECT_FALSE(read_back(full_run()).outcomes[0].judgements[0].median);
}

TEST(ResultsJson, ReadsRunAndInfo) {
  const auto got = read_back(full_run());
  EXPECT_EQ(got.info.family, "gpt_fast");
  EXPECT_EQ(got.info.started, "2026-11-21T07:04:00Z");
  EXPECT_EQ(got.info.device.kind, "cuda");
  EXPECT_EQ(got.info.device.model, "NVIDIA H200");
  EXPECT_EQ(got.info.session.date, "2026-11-21T07:04:00Z");
  EXPECT_EQ(got.info.session.device_id, "GPU-b398e28c-1a2b");
  EXPECT_EQ(got.info.session.driver, "585.10.01");
  EXPECT_EQ(got.info.session.cuda, "13.0");
  EXPECT_EQ(got.info.session.ceilings.at({"dram", Unit::kGbPerS}), 4430);
  EXPECT_EQ(got.info.environment.at("governor"), "performance");
  EXPECT_EQ(got.info.session.settings.at("cudnn"), "91002");
  EXPECT_EQ(got.info.baseline_path, "baselines/NVIDIA_H200");
  EXPECT_TRUE(got.info.local_baseline);
  EXPECT_EQ(got.info.command.size(), 2u);
  EXPECT_DOUBLE_EQ(got.elapsed_s, 6.2);
  EXPECT_TRUE(got.partial);
  EXPECT_EQ(got.exit_code, ExitCode::kFail);
}

TEST(ResultsJson, ReadsOutcomesWithJudgementsAndWorkers) {
  const auto got = read_back(full_run());
  ASSERT_EQ(got.outcomes.size(), 4u);
  EXPECT_EQ(got.outcomes[0].verdict, Verdict::kRegressed);
  EXPECT_EQ(got.outcomes[0].reports.size(), 5u);
  const Judgement& judgement = got.outcomes[0].judgements.at(0);
  EXPECT_EQ(judgement.metric, kTime);
  EXPECT_DOUBLE_EQ(judgement.change, 0.026);
  EXPECT_DOUBLE_EQ(judgement.p_value, 3e-9);
  EXPECT_DOUBLE_EQ(judgement.before, 78.9);
  EXPECT_TRUE(judgement.known_device);
  EXPECT_EQ(judgement.sessions, 5);
  EXPECT_EQ(got.outcomes[1].recorded, Recorded::kRevision);
  EXPECT_EQ(
      got.outcomes[2].reports.at(0).phases.at(Phase::kWhole).outputs[0].accuracy->wrong_elements,
      3);
  EXPECT_EQ(got.outcomes[3].message, "gone");
}

TEST(ResultsJson, KeepsWhyWhatAHostPassMeasuredWasNotJudged) {
  Outcome outcome = judged();
  outcome.not_judged[kRelativeEnqueueTime] = "no host pass is recorded of it";
  EXPECT_EQ(read_back(run_of({outcome})).outcomes[0].not_judged, outcome.not_judged);
  EXPECT_TRUE(read_back(run_of({judged()})).outcomes[0].not_judged.empty());
}

TEST(ResultsJson, KeepsEveryVerdictAndEveryRecordingApart) {
  for (const auto& [verdict, name] : kNames<Verdict>) {
    Outcome outcome = unjudged(verdict, "");
    if (passes(verdict) || verdict == Verdict::kBlind) {
      outcome = judged(verdict == Verdict::kBlind ? Verdict::kPass : verdict);
      outcome.verdict = verdict;
      Judgement& judgement = outcome.judgements[0];
      judgement.change = std::min(judgement.change, 0.001);
      judgement.now = judgement.before * (1 + judgement.change);
    }
    EXPECT_EQ(read_back(run_of({outcome})).outcomes[0].verdict, verdict);
  }
  for (const Recorded recorded : {Recorded::kNot, Recorded::kFirst, Recorded::kSession,
                                  Recorded::kRevision, Recorded::kRefused}) {
    Outcome outcome = judged();
    outcome.recorded = recorded;
    perfgate::Run run = run_of({outcome});
    run.info.refresh = true;
    EXPECT_EQ(read_back(run).outcomes[0].recorded, recorded);
  }
}

TEST(ResultsJson, LeavesOutDriverAndCudaOfACpu) {
  auto run = full_run();
  run.info.session.driver.reset();
  run.info.session.cuda.reset();
  EXPECT_FALSE(read_back(run).info.session.driver.has_value());
  EXPECT_FALSE(read_back(run).info.session.cuda.has_value());
}

TEST(ResultsJson, HoldsMeansOverShapes) {
  const json document = document_of(
      run_of({judged(Verdict::kPass, "a/D1/eager"), judged(Verdict::kPass, "a/D2/eager")}));
  EXPECT_EQ(document["derived"]["a/eager"]["shapes"], 2);
  EXPECT_EQ(document["derived"]["a/eager"]["unit"], "GB/s");
}

TEST(ResultsJson, CanBeWrittenWhenAWrongNumberIsNan) {
  auto run = run_of({wrong()});
  run.outcomes[0].reports[0].phases[Phase::kWhole].outputs[0].accuracy->worst_actual = std::nan("");
  ASSERT_NO_THROW((void)document_of(run));
  EXPECT_TRUE(std::isnan(read_back(run)
                             .outcomes[0]
                             .reports[0]
                             .phases[Phase::kWhole]
                             .outputs[0]
                             .accuracy->worst_actual));
}

struct Fault {
  const char* name;
  std::function<void(json&)> plant;
  const char* refusal;
};

void PrintTo(const Fault& fault, std::ostream* out) { *out << fault.name; }

class FaultyResults : public testing::TestWithParam<Fault> {};

TEST_P(FaultyResults, AreRefusedByPlace) {
  json document = document_of(full_run());
  GetParam().plant(document);
  EXPECT_THAT(
      testing_support::message_of([&] { (void)run_from_json(JsonCursor(document, "r.json")); }),
      HasSubstr(std::string("r.json: at ") + GetParam().refusal));
}

INSTANTIATE_TEST_SUITE_P(
    ResultsJson, FaultyResults,
    testing::Values(
        Fault{"version", [](json& d) { d["schema_version"] = 1; },
              "\"/schema_version\": written by another perfgate"},
        Fault{"verdict", [](json& d) { d["cases"][0]["verdict"] = "FINE"; },
              "\"/cases/0/verdict\": \"FINE\" is none of PASS"},
        Fault{"recorded", [](json& d) { d["cases"][0]["recorded"] = "maybe"; },
              "\"/cases/0/recorded\": \"maybe\" is none of no"},
        Fault{"worker", [](json& d) { d["cases"][0]["workers"][1]["status"] = "fine"; },
              "\"/cases/0/workers/1/status\": \"fine\" is none of measured"},
        Fault{"judgement", [](json& d) { d["cases"][0]["judgements"][0].erase("mde"); },
              "\"/cases/0/judgements/0\": \"mde\" is missing"},
        Fault{"exit_code", [](json& d) { d["exit_code"] = 4; }, "\"/exit_code\": no exit code"},
        Fault{"run", [](json& d) { d.erase("run"); }, "\"\": \"run\" is missing"},
        Fault{"device_id", [](json& d) { d["run"]["device_id"] = 7; },
              "\"/run/device_id\": expected a string"},
        Fault{"partial", [](json& d) { d["partial"] = 0; }, "\"/partial\": expected true or"}),
    [](const auto& instance) { return std::string(instance.param.name); });

}  // namespace
}  // namespace perfgate
