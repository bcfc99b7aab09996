#include "perfgate/report/judgement_json.h"

#include <nlohmann/json.hpp>

namespace perfgate {
namespace {

using nlohmann::json;

json to_json(const NightBuild& build) {
  json out = {{"time", build.time}, {"commit", build.commit}, {"libtorch", build.libtorch}};
  if (build.driver) {
    out["driver"] = *build.driver;
  }
  return out;
}

NightBuild build_from_json(const JsonCursor& cursor) {
  NightBuild out{cursor.at("time").text(), cursor.at("commit").text(), cursor.at("libtorch").text(),
                 std::nullopt};
  if (const auto driver = cursor.find("driver")) {
    out.driver = driver->text();
  }
  return out;
}

}  // namespace

Metric metric_from_json(const JsonCursor& cursor) {
  const auto out = metric_from(cursor.text());
  if (!out) {
    cursor.fail("no metric");
  }
  return *out;
}

json to_json(const Judgement& judgement) {
  json out = {{"metric", text_of(judgement.metric)},
              {"verdict", name_of(judgement.verdict)},
              {"change", judgement.change},
              {"half_width", judgement.half_width},
              {"mde", judgement.mde},
              {"tolerance", judgement.tolerance},
              {"own_tolerance", judgement.own_tolerance},
              {"threshold", judgement.threshold},
              {"spread", judgement.spread},
              {"spread_limit", judgement.spread_limit},
              {"p_value", judgement.p_value},
              {"alpha", judgement.alpha},
              {"standard_error", judgement.standard_error},
              {"degrees", judgement.degrees},
              {"now", judgement.now},
              {"before", judgement.before},
              {"known_device", judgement.known_device},
              {"sessions", judgement.sessions},
              {"devices", judgement.devices}};
  if (judgement.median) {
    out["median"] = *judgement.median;
  }
  if (const auto& effect = judgement.effect) {
    out["device_effect"] = {
        {"value", effect->value}, {"variance", effect->variance}, {"siblings", effect->siblings}};
  }
  if (const auto& clock = judgement.clock_mhz) {
    out["clock_mhz"] = {{"now", clock->now}, {"before", clock->before}};
  }
  return out;
}

json to_json(const GlobalChange& change) {
  return {{"family", change.family},
          {"variance_class", change.variance_class},
          {"metric", text_of(change.metric)},
          {"verdict", name_of(change.verdict)},
          {"cases", change.cases},
          {"change", change.change},
          {"half_width", change.half_width},
          {"threshold", change.threshold},
          {"mde", change.mde},
          {"p_value", change.p_value},
          {"alpha", change.alpha},
          {"sessions", change.sessions}};
}

json to_json(const SeriesCreep& creep) {
  json out = {{"case", creep.case_key},        {"metric", text_of(creep.metric)},
              {"change", creep.change},        {"nights", creep.nights},
              {"since", to_json(creep.since)}, {"found", to_json(creep.found)},
              {"now", to_json(creep.now)}};
  if (creep.before) {
    out["before"] = to_json(*creep.before);
  }
  return out;
}

SeriesCreep creep_from_json(const JsonCursor& cursor) {
  SeriesCreep out;
  out.case_key = cursor.at("case").text();
  out.metric = metric_from_json(cursor.at("metric"));
  out.change = cursor.at("change").number();
  out.nights = static_cast<int>(cursor.at("nights").integer());
  if (const auto before = cursor.find("before")) {
    out.before = build_from_json(*before);
  }
  out.since = build_from_json(cursor.at("since"));
  out.found = build_from_json(cursor.at("found"));
  out.now = build_from_json(cursor.at("now"));
  return out;
}

Judgement judgement_from_json(const JsonCursor& cursor) {
  Judgement out;
  out.metric = metric_from_json(cursor.at("metric"));
  out.verdict = cursor.at("verdict").one_of<Verdict>();
  out.change = cursor.at("change").number();
  out.half_width = cursor.at("half_width").number();
  out.mde = cursor.at("mde").number();
  out.tolerance = cursor.at("tolerance").number();
  out.own_tolerance = cursor.at("own_tolerance").boolean();
  out.threshold = cursor.at("threshold").number();
  out.spread = cursor.at("spread").number();
  out.spread_limit = cursor.at("spread_limit").number();
  out.p_value = cursor.at("p_value").number();
  out.alpha = cursor.at("alpha").number();
  out.standard_error = cursor.at("standard_error").number();
  out.degrees = cursor.at("degrees").positive_number();
  out.now = cursor.at("now").number();
  out.before = cursor.at("before").number();
  out.known_device = cursor.at("known_device").boolean();
  out.sessions = static_cast<int>(cursor.at("sessions").integer());
  out.devices = static_cast<int>(cursor.at("devices").integer());
  if (const auto median = cursor.find("median")) {
    out.median = median->number();
  }
  if (const auto effect = cursor.find("device_effect")) {
    out.effect = {effect->at("value").number(), effect->at("variance").number(),
                  static_cast<int>(effect->at("siblings").integer())};
  }
  if (const auto clock = cursor.find("clock_mhz")) {
    out.clock_mhz = {clock->at("now").positive_number(), clock->at("before").positive_number()};
  }
  return out;
}

GlobalChange global_change_from_json(const JsonCursor& cursor) {
  GlobalChange out;
  out.family = cursor.at("family").text();
  out.variance_class = cursor.at("variance_class").text();
  out.metric = metric_from_json(cursor.at("metric"));
  out.verdict = cursor.at("verdict").one_of<Verdict>();
  out.cases = static_cast<int>(cursor.at("cases").integer());
  out.change = cursor.at("change").number();
  out.half_width = cursor.at("half_width").number();
  out.threshold = cursor.at("threshold").number();
  out.mde = cursor.at("mde").number();
  out.p_value = cursor.at("p_value").number();
  out.alpha = cursor.at("alpha").number();
  out.sessions = static_cast<int>(cursor.at("sessions").integer());
  return out;
}

}  // namespace perfgate
