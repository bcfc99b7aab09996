#include "perfgate/baseline/baseline_json.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>

#include "perfgate/baseline/plausible.h"
#include "perfgate/model/case_key.h"
#include "perfgate/model/measurement_json.h"

namespace perfgate {
namespace {

using nlohmann::json;

// "ratio" is achieved rate over a measured ceiling.
constexpr std::array<std::string_view, 7> kUnits = {"us",      "cycles",  "ratio",   "GB/s",
                                                    "GFLOP/s", "TFLOP/s", "tokens/s"};

template <class Value>
void put(json& out, const char* key, const std::optional<Value>& value) {
  if (value) {
    out[key] = *value;
  }
}

template <class Value, class Read>
std::optional<Value> maybe(const JsonCursor& cursor, const char* key, Read read) {
  const auto item = cursor.find(key);
  return item ? std::optional<Value>(read(*item)) : std::nullopt;
}

std::optional<std::string> maybe_text(const JsonCursor& cursor, const char* key) {
  return maybe<std::string>(cursor, key, [](const JsonCursor& item) { return item.text(); });
}

std::optional<double> maybe_positive(const JsonCursor& cursor, const char* key) {
  return maybe<double>(cursor, key, [](const JsonCursor& item) { return item.positive_number(); });
}

std::string unit_from(const JsonCursor& cursor) {
  std::string unit = cursor.text();
  if (std::find(kUnits.begin(), kUnits.end(), unit) == kUnits.end()) {
    cursor.fail("unknown unit \"" + unit + "\"");
  }
  return unit;
}

json device_to_json(const DeviceRecord& device) {
  json out = {{"kind", device.kind}, {"model", device.model}};
  for (const auto& [ceiling, peak] : device.peaks) {
    out["peaks"][ceiling] = {{"value", peak.value}, {"source", peak.source}};
  }
  return out;
}

DeviceRecord device_from(const JsonCursor& cursor) {
  cursor.allow_only({"kind", "model", "peaks"});
  DeviceRecord out;
  out.kind = cursor.at("kind").text();
  if (out.kind != "cpu" && out.kind != "cuda") {
    cursor.at("kind").fail("expected \"cpu\" or \"cuda\"");
  }
  out.model = cursor.at("model").text();
  if (const auto peaks = cursor.find("peaks")) {
    for (const auto& [ceiling, item] : peaks->members()) {
      item.allow_only({"value", "source"});
      out.peaks[ceiling] = {item.at("value").positive_number(), item.at("source").text()};
    }
  }
  return out;
}

json session_to_json(const SessionRecord& session) {
  json out = {{"date", session.date},         {"unit", session.unit},
              {"host", session.host},         {"commit", session.commit},
              {"libtorch", session.libtorch}, {"compiler", session.compiler},
              {"ceilings", session.ceilings}};
  put(out, "driver", session.driver);
  put(out, "cuda", session.cuda);
  if (!session.workloads.empty()) {
    out["workloads"] = session.workloads;
  }
  return out;
}

SessionRecord session_from(const JsonCursor& cursor) {
  cursor.allow_only({"date", "unit", "host", "commit", "libtorch", "compiler", "ceilings", "driver",
                     "cuda", "workloads"});
  SessionRecord out;
  out.date = cursor.at("date").text();
  out.unit = cursor.at("unit").text();
  out.host = cursor.at("host").text();
  out.commit = cursor.at("commit").text();
  out.libtorch = cursor.at("libtorch").text();
  out.compiler = cursor.at("compiler").text();
  out.driver = maybe_text(cursor, "driver");
  out.cuda = maybe_text(cursor, "cuda");
  for (const auto& [name, item] : cursor.at("ceilings").members()) {
    out.ceilings[name] = item.positive_number();
  }
  if (const auto item = cursor.find("workloads")) {
    out.workloads = item->texts();
  }
  return out;
}

json metric_to_json(const MetricRecord& metric) {
  json out = {{"unit", metric.unit},
              {"better", to_string(metric.better)},
              {"judged", metric.judged},
              {"protocol", to_json(metric.protocol)},
              {"variance_class", metric.variance_class}};
  put(out, "tolerance", metric.tolerance);
  if (metric.statistic != Statistic::kMedian) {
    out["statistic"] = to_string(metric.statistic);
  }
  return out;
}

MetricRecord metric_from(const JsonCursor& cursor) {
  cursor.allow_only(
      {"unit", "better", "judged", "protocol", "variance_class", "tolerance", "statistic"});
  MetricRecord out;
  out.unit = unit_from(cursor.at("unit"));
  out.better = better_from_json(cursor.at("better"));
  out.judged = cursor.at("judged").boolean();
  out.protocol = protocol_from_json(cursor.at("protocol"));
  out.variance_class = cursor.at("variance_class").text();
  out.tolerance = maybe_positive(cursor, "tolerance");
  if (out.tolerance.value_or(0) > kMaxTolerance) {
    cursor.at("tolerance").fail("more than 0.25 would pass anything");
  }
  if (const auto item = cursor.find("statistic")) {
    out.statistic = statistic_from_json(*item);
  }
  return out;
}

json epoch_to_json(const Epoch& epoch) {
  json out = {{"reason", epoch.reason},
              {"date", epoch.date},
              {"anchor", epoch.anchor},
              {"figures", epoch.figures}};
  if (!epoch.tuning.empty()) {
    out["tuning"] = epoch.tuning;
  }
  return out;
}

Epoch epoch_from(const JsonCursor& cursor, const Baseline& file, const CaseRecord& record) {
  cursor.allow_only({"reason", "date", "anchor", "figures", "tuning"});
  Epoch out;
  out.reason = cursor.at("reason").text();
  out.date = cursor.at("date").text();
  if (const auto item = cursor.find("tuning")) {
    out.tuning = item->texts();
  }
  for (const auto& [name, sessions] : cursor.at("figures").members()) {
    if (record.metrics.count(name) == 0) {
      sessions.fail("figures of a metric that \"metrics\" does not describe");
    }
    for (const auto& [id, figures] : sessions.members()) {
      if (file.sessions.count(id) == 0) {
        figures.fail("\"sessions\" does not describe this session");
      }
      out.figures[name][id] = figures_from_json(figures);
    }
  }
  require_times_of_cycles(cursor.at("figures"), out);
  for (const auto& item : cursor.at("anchor").elements()) {
    out.anchor.push_back(item.text());
    if (file.sessions.count(out.anchor.back()) == 0) {
      item.fail("\"sessions\" does not describe this session");
    }
    if (std::count(out.anchor.begin(), out.anchor.end(), out.anchor.back()) > 1) {
      item.fail("an anchor session counts once");
    }
    if (std::none_of(out.figures.begin(), out.figures.end(), [&](const auto& figures) {
          return record.metrics.at(figures.first).judged &&
                 figures.second.count(out.anchor.back()) > 0;
        })) {
      item.fail("no judged metric has figures of this anchor session");
    }
  }
  if (out.anchor.empty()) {
    cursor.at("anchor").fail("an epoch needs at least one anchor session");
  }
  return out;
}

CaseRecord case_from(const JsonCursor& cursor, const Baseline& file) {
  cursor.allow_only({"metrics", "epochs", "kernels"});
  CaseRecord out;
  for (const auto& [name, item] : cursor.at("metrics").members()) {
    out.metrics[name] = metric_from(item);
    require_meaning(item, name, out.metrics.at(name));
  }
  for (const auto& item : cursor.at("epochs").elements()) {
    out.epochs.push_back(epoch_from(item, file, out));
  }
  if (const auto item = cursor.find("kernels")) {
    out.kernels = kernels_from_json(*item);
  }
  if (out.metrics.empty() || out.epochs.empty()) {
    cursor.fail("a case needs at least one metric and one epoch");
  }
  require_judged(cursor.at("epochs"), out);
  require_agreement(cursor.at("epochs"), file, out);
  return out;
}

json case_to_json(const CaseRecord& record) {
  json out = {{"metrics", json::object()}, {"epochs", json::array()}};
  for (const auto& [name, metric] : record.metrics) {
    out["metrics"][name] = metric_to_json(metric);
  }
  for (const auto& epoch : record.epochs) {
    out["epochs"].push_back(epoch_to_json(epoch));
  }
  if (!record.kernels.empty()) {
    out["kernels"] = to_json(record.kernels);
  }
  return out;
}

json published_to_json(const Published& published) {
  json out = {{"source", published.source}, {"figures", json::object()}};
  for (const auto& [key, figure] : published.figures) {
    out["figures"][key] = {
        {"figure", figure.figure}, {"unit", figure.unit}, {"better", to_string(figure.better)}};
  }
  return out;
}

Published published_from(const JsonCursor& cursor) {
  cursor.allow_only({"source", "figures"});
  Published out;
  out.source = cursor.at("source").text();
  for (const auto& [key, item] : cursor.at("figures").members()) {
    item.allow_only({"figure", "unit", "better"});
    out.figures[key] = {item.at("figure").positive_number(), unit_from(item.at("unit")),
                        better_from_json(item.at("better"))};
  }
  return out;
}

}  // namespace

std::vector<double> figures_from_json(const JsonCursor& cursor) {
  std::vector<double> out;
  constexpr double kLeast = 1e-12;  // of anything that is measured, in any unit
  constexpr double kMost = 1e15;
  for (const auto& item : cursor.elements()) {
    out.push_back(item.positive_number());
    if (out.back() < kLeast || out.back() > kMost) {
      item.fail("nothing that is measured is of this size");
    }
  }
  if (out.empty()) {
    cursor.fail("a session without figures");
  }
  return out;
}

json to_json(const Baseline& baseline) {
  json out = {{"schema_version", kBaselineSchemaVersion},
              {"device", device_to_json(baseline.device)},
              {"sessions", json::object()},
              {"cases", json::object()}};
  for (const auto& [id, session] : baseline.sessions) {
    out["sessions"][id] = session_to_json(session);
  }
  for (const auto& [key, record] : baseline.cases) {
    out["cases"][key] = case_to_json(record);
  }
  if (baseline.published) {
    out["published"] = published_to_json(*baseline.published);
  }
  return out;
}

Baseline baseline_from_json(const JsonCursor& cursor) {
  const auto version = cursor.at("schema_version");
  if (version.integer() != kBaselineSchemaVersion) {
    version.fail("schema version " + std::to_string(version.integer()) +
                 ", and this perfgate reads " + std::to_string(kBaselineSchemaVersion));
  }
  cursor.allow_only({"schema_version", "device", "sessions", "cases", "published"});
  Baseline out;
  out.device = device_from(cursor.at("device"));
  for (const auto& [id, item] : cursor.at("sessions").members()) {
    out.sessions[id] = session_from(item);
  }
  for (const auto& [key, item] : cursor.at("cases").members()) {
    if (!is_valid_key(key)) {
      item.fail("not a case key");
    }
    out.cases[key] = case_from(item, out);
  }
  out.published = maybe<Published>(cursor, "published", published_from);
  return out;
}

}  // namespace perfgate
