#include "perfgate/report/results_json.h"

#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "perfgate/model/worker_report_json.h"
#include "perfgate/report/derived.h"
#include "perfgate/report/speedups.h"

namespace perfgate {
namespace {

using nlohmann::json;

constexpr int kResultsSchemaVersion = 3;

constexpr std::array<std::pair<Recorded, const char*>, 5> kRecordedNames = {{
    {Recorded::kNot, "no"},
    {Recorded::kFirst, "first"},
    {Recorded::kSession, "session"},
    {Recorded::kEpoch, "epoch"},
    {Recorded::kRefused, "refused"},
}};

json to_json(const Judgement& judgement) {
  json out = {{"metric", judgement.metric},
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
              {"now", judgement.now},
              {"before", judgement.before},
              {"known_unit", judgement.known_unit},
              {"sessions", judgement.sessions},
              {"units", judgement.units}};
  if (const auto& clock = judgement.clock_mhz) {
    out["clock_mhz"] = {{"now", clock->now}, {"before", clock->before}};
  }
  return out;
}

json to_json(const Outcome& outcome) {
  json judgements = json::array();
  for (const auto& judgement : outcome.judgements) {
    judgements.push_back(to_json(judgement));
  }
  json workers = json::array();
  for (const auto& report : outcome.reports) {
    workers.push_back(perfgate::to_json(report));
  }
  const char* recorded = "no";
  for (const auto& [value, name] : kRecordedNames) {
    recorded = value == outcome.recorded ? name : recorded;
  }
  return {{"case", outcome.case_key},
          {"verdict", name_of(outcome.verdict)},
          {"message", outcome.message},
          {"judgements", judgements},
          {"workers", workers},
          {"recorded", recorded},
          {"overdue", outcome.overdue},
          {"learning", outcome.learning},
          {"other_protocol", outcome.other_protocol}};
}

json to_json(const RunInfo& info) {
  json out = {{"perfgate", PERFGATE_VERSION},
              {"family", info.family},
              {"started", info.started},
              {"device", {{"kind", info.device.kind}, {"model", info.device.model}}},
              {"unit", info.session.unit},
              {"host", info.session.host},
              {"commit", info.session.commit},
              {"libtorch", info.session.libtorch},
              {"compiler", info.session.compiler},
              {"ceilings", info.session.ceilings},
              {"environment", info.environment},
              {"baseline", info.baseline_path},
              {"local_baseline", info.local_baseline},
              {"command", info.command},
              {"selection", info.selection},
              {"shard", info.shard},
              {"shards", info.shards}};
  if (info.session.driver) {
    out["driver"] = *info.session.driver;
  }
  if (info.session.cuda) {
    out["cuda"] = *info.session.cuda;
  }
  return out;
}

Verdict verdict_from(const JsonCursor& cursor) {
  const std::string text = cursor.text();
  for (const Verdict verdict : kAllVerdicts) {
    if (text == name_of(verdict)) {
      return verdict;
    }
  }
  cursor.fail("unknown verdict \"" + text + "\"");
}

Judgement judgement_from(const JsonCursor& cursor) {
  Judgement out;
  out.metric = cursor.at("metric").text();
  out.verdict = verdict_from(cursor.at("verdict"));
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
  out.now = cursor.at("now").number();
  out.before = cursor.at("before").number();
  out.known_unit = cursor.at("known_unit").boolean();
  out.sessions = static_cast<int>(cursor.at("sessions").integer());
  out.units = static_cast<int>(cursor.at("units").integer());
  if (const auto clock = cursor.find("clock_mhz")) {
    out.clock_mhz = {clock->at("now").positive_number(), clock->at("before").positive_number()};
  }
  return out;
}

Outcome outcome_from(const JsonCursor& cursor) {
  Outcome out;
  out.case_key = cursor.at("case").text();
  out.verdict = verdict_from(cursor.at("verdict"));
  out.message = cursor.at("message").text();
  for (const auto& item : cursor.at("judgements").elements()) {
    out.judgements.push_back(judgement_from(item));
  }
  for (const auto& item : cursor.at("workers").elements()) {
    out.reports.push_back(worker_report_from_json(item));
  }
  out.overdue = cursor.at("overdue").boolean();
  out.learning = cursor.at("learning").boolean();
  out.other_protocol = cursor.at("other_protocol").boolean();
  const std::string recorded = cursor.at("recorded").text();
  for (const auto& [value, name] : kRecordedNames) {
    if (recorded == name) {
      out.recorded = value;
      return out;
    }
  }
  cursor.at("recorded").fail("unknown value \"" + recorded + "\"");
}

RunInfo info_from(const JsonCursor& cursor) {
  RunInfo out;
  out.family = cursor.at("family").text();
  out.started = cursor.at("started").text();
  out.device.kind = cursor.at("device").at("kind").text();
  out.device.model = cursor.at("device").at("model").text();
  out.session.date = out.started;
  out.session.unit = cursor.at("unit").text();
  out.session.host = cursor.at("host").text();
  out.session.commit = cursor.at("commit").text();
  out.session.libtorch = cursor.at("libtorch").text();
  out.session.compiler = cursor.at("compiler").text();
  for (const auto& [name, item] : cursor.at("ceilings").members()) {
    out.session.ceilings[name] = item.number();
  }
  out.environment = cursor.at("environment").texts();
  out.baseline_path = cursor.at("baseline").text();
  out.local_baseline = cursor.at("local_baseline").boolean();
  for (const auto& item : cursor.at("command").elements()) {
    out.command.push_back(item.text());
  }
  out.selection = cursor.at("selection").text();
  out.shard = static_cast<int>(cursor.at("shard").integer());
  out.shards = static_cast<int>(cursor.at("shards").integer());
  if (const auto item = cursor.find("driver")) {
    out.session.driver = item->text();
  }
  if (const auto item = cursor.find("cuda")) {
    out.session.cuda = item->text();
  }
  return out;
}

}  // namespace

json to_json(const Run& run) {
  json cases = json::array();
  for (const auto& outcome : run.outcomes) {
    cases.push_back(to_json(outcome));
  }
  json derived = json::object();
  for (const auto& entry : means_over_shapes(run.outcomes)) {
    derived[entry.group] = {{"mean", entry.mean.value},
                            {"unit", entry.mean.unit},
                            {"lowest", entry.lowest},
                            {"highest", entry.highest},
                            {"shapes", entry.shapes}};
  }
  json ratios = json::object();
  for (const auto& entry : speedups(run.outcomes)) {
    ratios[entry.case_key] = {
        {"over", entry.over}, {"metric", entry.metric}, {"ratio", entry.ratio}};
    if (entry.half_width) {
      ratios[entry.case_key]["half_width"] = *entry.half_width;
    }
  }
  return {{"schema_version", kResultsSchemaVersion},
          {"run", to_json(run.info)},
          {"cases", cases},
          {"derived", derived},
          {"speedups", ratios},
          {"elapsed_s", run.elapsed_s},
          {"partial", run.partial},
          {"exit_code", static_cast<int>(run.exit_code)}};
}

Run run_from_json(const JsonCursor& cursor) {
  if (cursor.at("schema_version").integer() != kResultsSchemaVersion) {
    cursor.at("schema_version").fail("written by another perfgate; merge with that one");
  }
  Run out;
  out.info = info_from(cursor.at("run"));
  for (const auto& item : cursor.at("cases").elements()) {
    out.outcomes.push_back(outcome_from(item));
    out.outcomes.back().unit = out.info.session.unit;
  }
  out.elapsed_s = cursor.at("elapsed_s").number();
  out.partial = cursor.at("partial").boolean();
  const auto code = cursor.at("exit_code").integer();
  for (const ExitCode known :
       {ExitCode::kOk, ExitCode::kFail, ExitCode::kUsage, ExitCode::kRefused, ExitCode::kSkipped}) {
    if (code == static_cast<int>(known)) {
      out.exit_code = known;
      return out;
    }
  }
  cursor.at("exit_code").fail("no exit code of perfgate's");
}

}  // namespace perfgate
