// What a baseline's reader refuses, by place.

#include <gmock/gmock.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <ostream>

#include "fixtures/message_of.h"
#include "fixtures/sample_baseline.h"
#include "perfgate/baseline/baseline_json.h"

namespace perfgate {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing_support::full_baseline;
using testing_support::kKey;

constexpr const char* kCases = "cases/ops.json";
constexpr const char* kKernels = "kernels/ops.json";

struct Fault {
  const char* name;
  const char* file;
  std::function<void(json&)> plant;
  const char* pointer;
  const char* reason;
};

void PrintTo(const Fault& fault, std::ostream* out) { *out << fault.name; }

class FaultyBaseline : public testing::TestWithParam<Fault> {};

TEST_P(FaultyBaseline, IsRefusedWithThePlaceAndTheReason) {
  auto files = to_files(full_baseline());
  json document = json::parse(files.at(GetParam().file));
  GetParam().plant(document);
  files[GetParam().file] = document.dump();
  const std::string refusal =
      testing_support::message_of([&] { (void)baseline_from_files(files, "b"); });
  EXPECT_THAT(refusal, HasSubstr("b/" + std::string(GetParam().file) + ": at \"" +
                                 GetParam().pointer + "\": "));
  EXPECT_THAT(refusal, HasSubstr(GetParam().reason));
}

json& the_case(json& document) { return document["cases"][kKey]; }
json& revision(json& document) { return the_case(document)["revisions"][0]; }
json& session(json& document) { return revision(document)["reference"]["2026-11-20-aa-01"]; }
json& later(json& document) { return revision(document)["later"][0]; }
json& time_metric(json& document) { return the_case(document)["metrics"]["time"]; }

#define AT_CASE "/cases/ops~1copy~1D64~1eager"
#define AT_SESSION AT_CASE "/revisions/0/reference/2026-11-20-aa-01"

INSTANTIATE_TEST_SUITE_P(
    Device, FaultyBaseline,
    testing::Values(
        Fault{"version", "device.json", [](json& d) { d["schema_version"] = 1; }, "/schema_version",
              "schema version 1, and this perfgate reads 2"},
        Fault{"no_version", "device.json", [](json& d) { d.erase("schema_version"); }, "",
              "is missing"},
        Fault{"key", "device.json", [](json& d) { d["note"] = ""; }, "/note", "unknown key"},
        Fault{"device_key", "device.json", [](json& d) { d["device"]["sm"] = 1; }, "/device/sm",
              "unknown key"},
        Fault{"kind", "device.json", [](json& d) { d["device"]["kind"] = "tpu"; }, "/device/kind",
              "expected"},
        Fault{"session_key", "device.json",
              [](json& d) { d["sessions"]["2026-11-20-aa-01"]["x"] = 1; },
              "/sessions/2026-11-20-aa-01/x", "unknown key"},
        Fault{"family", "device.json", [](json& d) { d["families"] = json::array(); }, "/families",
              "does not name ops, and there is a cases/ops.json"},
        Fault{"no_cases", "device.json", [](json& d) { d["families"].push_back("sparse"); },
              "/families", "there is no cases/sparse.json"},
        Fault{"ceiling", "device.json",
              [](json& d) { d["sessions"]["2026-11-20-aa-01"]["ceilings"]["speed"] = 1; },
              "/sessions/2026-11-20-aa-01/ceilings/speed", "unit"}),
    [](const auto& instance) { return std::string(instance.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Kernels, FaultyBaseline,
    testing::Values(Fault{"phase", kKernels,
                          [](json& d) { d["kernels"][kKey]["decode"] = json::array(); },
                          "/kernels/ops~1copy~1D64~1eager/decode", "no phase of its case"},
                    Fault{"family", kKernels,
                          [](json& d) { d["kernels"]["sparse/x"] = json::object(); },
                          "/kernels/sparse~1x", "it belongs into kernels/sparse.json"}),
    [](const auto& instance) { return std::string(instance.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Case, FaultyBaseline,
    testing::Values(
        Fault{"version", kCases, [](json& d) { d["schema_version"] = 3; }, "/schema_version",
              "schema version 3"},
        Fault{"family", kCases, [](json& d) { d["cases"]["sparse/x"] = the_case(d); },
              "/cases/sparse~1x", "it belongs into cases/sparse.json"},
        Fault{"phase", kCases, [](json& d) { the_case(d)["phases"]["sideways"] = json::object(); },
              AT_CASE "/phases/sideways", "none of whole, forward, backward"},
        Fault{"phase_of_metric", kCases,
              [](json& d) { the_case(d)["metrics"]["backward.time"] = time_metric(d); },
              AT_CASE "/metrics/backward.time", "does not describe its phase"},
        Fault{"metric", kCases, [](json& d) { the_case(d)["metrics"]["tmie"] = time_metric(d); },
              AT_CASE "/metrics/tmie", "no metric"},
        Fault{"metric_key", kCases, [](json& d) { time_metric(d)["unit"] = "us"; },
              AT_CASE "/metrics/time/unit", "unknown key"},
        Fault{"revision_key", kCases, [](json& d) { revision(d)["x"] = 1; },
              AT_CASE "/revisions/0/x", "unknown key"},
        Fault{"session_id", kCases,
              [](json& d) { revision(d)["reference"]["ghost"]["time"] = {81.0}; },
              AT_CASE "/revisions/0/reference/ghost", "does not describe the session"},
        Fault{"undescribed", kCases, [](json& d) { session(d)["busy_time"] = {81.0}; },
              AT_SESSION "/busy_time", "does not describe"},
        Fault{"clock", kCases,
              [](json& d) {
                the_case(d)["metrics"]["sm_cycles"] = time_metric(d);
                the_case(d)["metrics"]["net_time"] = time_metric(d);
                session(d)["sm_cycles"] = {1e6, 1e6};
                session(d)["net_time"] = {700.0};
              },
              AT_CASE "/revisions/0/reference", "need as many measurements of net_time"},
        Fault{"reference", kCases, [](json& d) { session(d).erase("time"); }, AT_SESSION,
              "no judged metric has measurements of this reference session"},
        Fault{"first", kCases, [](json& d) { revision(d)["first"] = "ghost"; },
              AT_CASE "/revisions/0/first", "\"reference\" has no such session"},
        Fault{"judged", kCases,
              [](json& d) { the_case(d)["metrics"]["busy_time"] = time_metric(d); },
              AT_CASE "/revisions",
              "no reference session of the newest revision has measurements of the judged "
              "metric \"busy_time\""},
        Fault{"tolerance", kCases, [](json& d) { time_metric(d)["tolerance"] = 1e308; },
              AT_CASE "/metrics/time/tolerance", "more than 0.25 would pass anything"},
        Fault{"nothing_judged", kCases, [](json& d) { time_metric(d)["judged"] = false; },
              AT_SESSION, "no judged metric"},
        Fault{"disagreement", kCases,
              [](json& d) {
                session(d)["time"] = {729.0, 730.0};
              },
              AT_CASE "/revisions", "device \"GPU-"},
        Fault{"revisions", kCases, [](json& d) { the_case(d)["revisions"] = json::array(); },
              AT_CASE, "at least one metric and one revision"},
        Fault{"case_key", kCases, [](json& d) { d["cases"]["a//b"] = the_case(d); },
              "/cases/a~1~1b", "not a case key"},
        Fault{"negative", kCases, [](json& d) { session(d)["time"][1] = -1; }, AT_SESSION "/time/1",
              "a number above 0"},
        Fault{"no_value", kCases, [](json& d) { session(d)["time"] = json::array(); },
              AT_SESSION "/time", "a session without measurements"}),
    [](const auto& instance) { return std::string(instance.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Later, FaultyBaseline,
    testing::Values(Fault{"last", kCases, [](json& d) { later(d)["last"] = "ghost"; },
                          AT_CASE "/revisions/0/later/0/last", "does not describe the session"},
                    Fault{"same_device", kCases,
                          [](json& d) { revision(d)["later"].push_back(later(d)); },
                          AT_CASE "/revisions/0/later/1/last", "a second entry of the same device"},
                    Fault{"numbers", kCases, [](json& d) { later(d)["time"].push_back(1); },
                          AT_CASE "/revisions/0/later/0/time", "expected seven numbers"},
                    Fault{"count", kCases, [](json& d) { later(d)["time"][0] = 0; },
                          AT_CASE "/revisions/0/later/0/time/0", "expected 1 to 1000000 sessions"},
                    Fault{"squares", kCases, [](json& d) { later(d)["time"][2] = -0.1; },
                          AT_CASE "/revisions/0/later/0/time/2", "at least 0"},
                    Fault{"several", kCases, [](json& d) { later(d)["time"][3] = 8; },
                          AT_CASE "/revisions/0/later/0/time/3", "expected 0 to 7 sessions"}),
    [](const auto& instance) { return std::string(instance.param.name); });

}  // namespace
}  // namespace perfgate
