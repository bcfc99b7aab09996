#include "perfgate/baseline/baseline_json.h"

#include <gmock/gmock.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <ostream>

#include "fixtures/message_of.h"
#include "fixtures/sample_baseline.h"
#include "perfgate/core/json.h"
#include "perfgate/core/readable_json.h"

namespace perfgate {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing_support::kKey;
using testing_support::sample_baseline;

Baseline read_back(const Baseline& baseline) {
  const json document = parse_strict(dump_readable(to_json(baseline)), "b.json");
  return baseline_from_json(JsonCursor(document, "b.json"));
}

TEST(BaselineJson, IsReadBackAsItWasWritten) {
  const json written = to_json(sample_baseline());
  EXPECT_EQ(to_json(read_back(sample_baseline())), written);
}

TEST(BaselineJson, ReadsEveryField) {
  const Baseline got = read_back(sample_baseline());
  EXPECT_EQ(got.device.kind, "cuda");
  EXPECT_EQ(got.device.model, "NVIDIA H200");
  EXPECT_EQ(got.device.peaks.at("dram_read_gb_per_s").value, 4800);
  EXPECT_EQ(got.device.peaks.at("dram_read_gb_per_s").source, "datasheet");
  const auto& session = got.sessions.at("2026-11-20-aa-01");
  EXPECT_EQ(session.date, "2026-11-20T02:00:00Z");
  EXPECT_EQ(session.unit, "GPU-aa");
  EXPECT_EQ(session.host, "host1");
  EXPECT_EQ(session.commit, "0789c4b");
  EXPECT_EQ(session.libtorch, "2.13.0");
  EXPECT_EQ(session.compiler, "GCC 12.2");
  EXPECT_EQ(session.driver, "580.159.04");
  EXPECT_EQ(session.cuda, "13.0");
  EXPECT_EQ(session.ceilings.at("dram_gb_per_s"), 4430);
  EXPECT_FALSE(got.sessions.at("2026-11-21-bb-01").driver.has_value());
  const auto& metric = got.cases.at(kKey).metrics.at("time");
  EXPECT_EQ(metric.unit, "us");
  EXPECT_EQ(metric.better, Better::kLower);
  EXPECT_TRUE(metric.judged);
  EXPECT_EQ(metric.protocol.at("samples"), ProtocolSetting(std::int64_t{30}));
  EXPECT_EQ(metric.protocol.at("held"), ProtocolSetting(true));
  EXPECT_EQ(metric.tolerance, 0.03);
  EXPECT_EQ(metric.variance_class, "cpu/memory");
  const auto& epoch = got.cases.at(kKey).epochs.at(0);
  EXPECT_EQ(epoch.reason, "first");
  EXPECT_EQ(epoch.date, "2026-11-20");
  EXPECT_EQ(epoch.tuning, (Tuning{{"algorithm", "37"}}));
  EXPECT_THAT(epoch.anchor, testing::ElementsAre("2026-11-20-aa-01"));
  EXPECT_THAT(epoch.figures.at("time").at("2026-11-20-aa-01"), testing::ElementsAre(81.0, 81.5));
  ASSERT_TRUE(got.published.has_value());
  EXPECT_EQ(got.published->source, "README of the seed");
  EXPECT_EQ(got.published->figures.at("ops/copy/eager").figure, 1300);
}

TEST(Baseline, CountsJudgedMetricsAndNamesEveryUnitOnce) {
  Baseline baseline = sample_baseline();
  baseline.cases["ops/mm/D64/eager"] = baseline.cases.at(kKey);
  baseline.sessions["2026-11-22-bb-01"] = baseline.sessions.at("2026-11-21-bb-01");
  EXPECT_EQ(judged_metrics(baseline), 2);  // time of either case; utilisation is only shown
  EXPECT_THAT(units_of(baseline), testing::ElementsAre("GPU-aa", "GPU-bb"));
}

struct Fault {
  const char* name;
  std::function<void(json&)> plant;
  const char* pointer;
  const char* reason;
};

void PrintTo(const Fault& fault, std::ostream* out) { *out << fault.name; }

class FaultyBaseline : public testing::TestWithParam<Fault> {};

TEST_P(FaultyBaseline, IsRefusedWithThePlaceAndTheReason) {
  json document = to_json(sample_baseline());
  GetParam().plant(document);
  const std::string refusal = testing_support::message_of(
      [&] { (void)baseline_from_json(JsonCursor(document, "b.json")); });
  EXPECT_THAT(refusal, HasSubstr(std::string("b.json: at \"") + GetParam().pointer + "\": "));
  EXPECT_THAT(refusal, HasSubstr(GetParam().reason));
}

json& the_case(json& document) { return document["cases"][kKey]; }
json& epoch(json& document) { return the_case(document)["epochs"][0]; }
json& time_metric(json& document) { return the_case(document)["metrics"]["time"]; }

#define AT_CASE "/cases/ops~1copy~1D64~1eager"

INSTANTIATE_TEST_SUITE_P(
    BaselineJson, FaultyBaseline,
    testing::Values(
        Fault{"version", [](json& d) { d["schema_version"] = 2; }, "/schema_version",
              "schema version 2, and this perfgate reads 1"},
        Fault{"no_version", [](json& d) { d.erase("schema_version"); }, "", "is missing"},
        Fault{"key", [](json& d) { d["note"] = ""; }, "/note", "unknown key"},
        Fault{"device_key", [](json& d) { d["device"]["sm"] = 1; }, "/device/sm", "unknown key"},
        Fault{"kind", [](json& d) { d["device"]["kind"] = "tpu"; }, "/device/kind", "expected"},
        Fault{"session_key", [](json& d) { d["sessions"]["2026-11-20-aa-01"]["x"] = 1; },
              "/sessions/2026-11-20-aa-01/x", "unknown key"},
        Fault{"metric_key", [](json& d) { time_metric(d)["x"] = 1; }, AT_CASE "/metrics/time/x",
              "unknown key"},
        Fault{"epoch_key", [](json& d) { epoch(d)["x"] = 1; }, AT_CASE "/epochs/0/x",
              "unknown key"},
        Fault{"unit", [](json& d) { time_metric(d)["unit"] = "ms"; }, AT_CASE "/metrics/time/unit",
              "unknown unit \"ms\""},
        Fault{"session_id", [](json& d) { epoch(d)["figures"]["time"]["ghost"] = {81.0}; },
              AT_CASE "/epochs/0/figures/time/ghost", "does not describe this session"},
        Fault{"metric_name", [](json& d) { epoch(d)["figures"]["busy"] = json::object(); },
              AT_CASE "/epochs/0/figures/busy", "does not describe"},
        Fault{"clock",
              [](json& d) {
                the_case(d)["metrics"]["sm_cycles"] = time_metric(d);
                the_case(d)["metrics"]["sm_cycles"]["unit"] = "cycles";
                the_case(d)["metrics"]["net_time"] = time_metric(d);
                epoch(d)["figures"]["sm_cycles"]["2026-11-20-aa-01"] = {1e6, 1e6};
                epoch(d)["figures"]["net_time"]["2026-11-20-aa-01"] = {700.0};
              },
              AT_CASE "/epochs/0/figures", "need as many figures of net_time"},
        Fault{"anchor",
              [](json& d) {
                epoch(d)["figures"]["time"].erase("2026-11-21-bb-01");
                epoch(d)["anchor"].push_back("2026-11-21-bb-01");
              },
              AT_CASE "/epochs/0/anchor/1", "no judged metric has figures of this anchor session"},
        Fault{"no_anchor", [](json& d) { epoch(d)["anchor"] = json::array(); },
              AT_CASE "/epochs/0/anchor", "at least one anchor"},
        Fault{"judged",
              [](json& d) {
                auto& figures = epoch(d)["figures"];
                the_case(d)["metrics"]["busy_time"] = time_metric(d);
                figures["busy_time"]["2026-11-21-bb-01"] = figures["time"]["2026-11-21-bb-01"];
              },
              AT_CASE "/epochs",
              "no anchor session of the newest epoch has figures of the judged "
              "metric \"busy_time\""},
        Fault{"direction", [](json& d) { time_metric(d)["better"] = "higher"; },
              AT_CASE "/metrics/time", "\"time\" is in us, and lower is better"},
        Fault{"another_unit", [](json& d) { time_metric(d)["unit"] = "ratio"; },
              AT_CASE "/metrics/time", "\"time\" is in us"},
        Fault{"tolerance", [](json& d) { time_metric(d)["tolerance"] = 1e308; },
              AT_CASE "/metrics/time/tolerance", "more than 0.25 would pass anything"},
        Fault{"nothing_judged", [](json& d) { time_metric(d)["judged"] = false; },
              AT_CASE "/epochs/0/anchor/0", "no judged metric"},
        Fault{"twice", [](json& d) { epoch(d)["anchor"].push_back("2026-11-20-aa-01"); },
              AT_CASE "/epochs/0/anchor/1", "an anchor session counts once"},
        Fault{"disagreement",
              [](json& d) {  // another session on the same device, nine times as long
                d["sessions"]["2026-11-22-aa-01"] = d["sessions"]["2026-11-20-aa-01"];
                d["sessions"]["2026-11-23-aa-01"] = d["sessions"]["2026-11-20-aa-01"];
                epoch(d)["figures"]["time"]["2026-11-22-aa-01"] = {81.0, 81.0};
                epoch(d)["figures"]["time"]["2026-11-23-aa-01"] = {729.0, 730.0};
              },
              AT_CASE "/epochs", "session \"2026-11-23-aa-01\" of \"time\" is a factor of 8.97"},
        Fault{"devices_disagree",
              [](json& d) { epoch(d)["figures"]["time"]["2026-11-21-bb-01"] = {820.0}; },
              AT_CASE "/epochs", "device \"GPU-"},
        Fault{"epochs", [](json& d) { the_case(d)["epochs"] = json::array(); }, AT_CASE,
              "at least one metric and one epoch"},
        Fault{"case_key", [](json& d) { d["cases"]["a//b"] = the_case(d); }, "/cases/a~1~1b",
              "not a case key"},
        Fault{"negative", [](json& d) { epoch(d)["figures"]["time"]["2026-11-20-aa-01"][1] = -1; },
              AT_CASE "/epochs/0/figures/time/2026-11-20-aa-01/1", "a number above 0"},
        Fault{"no_figure",
              [](json& d) { epoch(d)["figures"]["time"]["2026-11-20-aa-01"] = json::array(); },
              AT_CASE "/epochs/0/figures/time/2026-11-20-aa-01", "a session without figures"},
        Fault{"anchor_of_nothing",
              [](json& d) {  // nothing judged, no figures: the anchor must exist all the same
                time_metric(d)["judged"] = false;
                epoch(d)["figures"] = json::object();
                epoch(d)["anchor"] = {"ghost"};
              },
              AT_CASE "/epochs/0/anchor/0", ""},
        Fault{"published_unit",
              [](json& d) { d["published"]["figures"]["ops/copy/eager"]["unit"] = "GiB/s"; },
              "/published/figures/ops~1copy~1eager/unit", "unknown unit \"GiB/s\""}),
    [](const auto& instance) { return std::string(instance.param.name); });

}  // namespace
}  // namespace perfgate
