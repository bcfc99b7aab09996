#include "perfgate/baseline/device_json.h"

#include <nlohmann/json.hpp>

#include "perfgate/model/case_key.h"

namespace perfgate {
namespace {

using nlohmann::json;

template <class Value>
void put(json& out, const char* key, const std::optional<Value>& value) {
  if (value) {
    out[key] = *value;
  }
}

std::optional<std::string> maybe_text(const JsonCursor& cursor, const char* key) {
  const auto item = cursor.find(key);
  return item ? std::optional(item->text()) : std::nullopt;
}

json to_json(const DeviceRecord& device) {
  json out = {{"kind", device.kind}, {"model", device.model}};
  for (const auto& [ceiling, peak] : device.peaks) {
    out["peaks"][text_of(ceiling)] = {{"value", peak.value}, {"source", peak.source}};
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
    for (const auto& [name, item] : peaks->members()) {
      item.allow_only({"value", "source"});
      out.peaks[ceiling_from_json(item, name)] = {item.at("value").positive_number(),
                                                  item.at("source").text()};
    }
  }
  return out;
}

json to_json(const SessionRecord& session) {
  json out = {{"date", session.date},
              {"device_id", session.device_id},
              {"host", session.host},
              {"commit", session.commit},
              {"libtorch", session.libtorch},
              {"compiler", session.compiler},
              {"ceilings", perfgate::to_json(session.ceilings)}};
  put(out, "driver", session.driver);
  put(out, "cuda", session.cuda);
  if (!session.settings.empty()) {
    out["settings"] = session.settings;
  }
  if (!session.workloads.empty()) {
    out["workloads"] = session.workloads;
  }
  return out;
}

SessionRecord session_from(const JsonCursor& cursor) {
  cursor.allow_only({"date", "device_id", "host", "commit", "libtorch", "compiler", "ceilings",
                     "driver", "cuda", "settings", "workloads"});
  SessionRecord out;
  out.date = cursor.at("date").text();
  out.device_id = cursor.at("device_id").text();
  out.host = cursor.at("host").text();
  out.commit = cursor.at("commit").text();
  out.libtorch = cursor.at("libtorch").text();
  out.compiler = cursor.at("compiler").text();
  out.driver = maybe_text(cursor, "driver");
  out.cuda = maybe_text(cursor, "cuda");
  out.ceilings = ceilings_from_json(cursor.at("ceilings"));
  if (const auto item = cursor.find("settings")) {
    out.settings = item->texts();
  }
  if (const auto item = cursor.find("workloads")) {
    out.workloads = item->texts();
  }
  return out;
}

}  // namespace

void require_schema_version(const JsonCursor& cursor) {
  const auto version = cursor.at("schema_version");
  if (version.integer() != kBaselineSchemaVersion) {
    version.fail("schema version " + std::to_string(version.integer()) +
                 ", and this perfgate reads " + std::to_string(kBaselineSchemaVersion));
  }
}

std::set<std::string> families_of(const Baseline& baseline) {
  std::set<std::string> out;
  for (const auto& [key, record] : baseline.cases) {
    out.insert(family_of(key));
  }
  return out;
}

std::set<std::string> families_from_json(const JsonCursor& cursor) {
  std::set<std::string> out;
  for (const auto& item : cursor.at("families").elements()) {
    out.insert(item.text());
  }
  return out;
}

json device_to_json(const Baseline& baseline) {
  json out = {{"schema_version", kBaselineSchemaVersion},
              {"device", to_json(baseline.device)},
              {"sessions", json::object()}};
  for (const auto& [id, session] : baseline.sessions) {
    out["sessions"][id] = to_json(session);
  }
  out["families"] = families_of(baseline);
  return out;
}

Baseline device_from_json(const JsonCursor& cursor) {
  require_schema_version(cursor);
  cursor.allow_only({"schema_version", "device", "families", "sessions"});
  Baseline out;
  out.device = device_from(cursor.at("device"));
  for (const auto& [id, item] : cursor.at("sessions").members()) {
    out.sessions[id] = session_from(item);
  }
  return out;
}

}  // namespace perfgate
