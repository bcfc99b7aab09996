#include "perfgate/report/results_json.h"

#include <nlohmann/json.hpp>

#include "perfgate/core/plain_text.h"
#include "perfgate/core/readable_json.h"
#include "perfgate/core/version.h"
#include "perfgate/model/worker_report_json.h"
#include "perfgate/report/contradictions.h"
#include "perfgate/report/derived.h"
#include "perfgate/report/judgement_json.h"
#include "perfgate/report/speedups.h"

namespace perfgate {
namespace {

using nlohmann::json;

constexpr int kResultsSchemaVersion = 7;

json to_json(const Outcome& outcome) {
  json judgements = json::array();
  for (const auto& judgement : outcome.judgements) {
    judgements.push_back(to_json(judgement));
  }
  json workers = json::array();
  for (const auto& report : outcome.reports) {
    workers.push_back(perfgate::to_json(report));
  }
  json out = {{"case", outcome.case_key},
              {"verdict", name_of(outcome.verdict)},
              {"message", outcome.message},
              {"judgements", judgements},
              {"workers", workers},
              {"recorded", name_of(outcome.recorded)},
              {"overdue", outcome.overdue},
              {"learning", outcome.learning},
              {"other_protocol", outcome.other_protocol}};
  if (!outcome.source_diff.empty()) {
    out["source_diff"] = outcome.source_diff;
  }
  for (const auto& [metric, why] : outcome.not_judged) {
    out["not_judged"][text_of(metric)] = why;
  }
  return out;
}

json to_json(const Canary& canary) {
  json out = {{"result", name_of(canary.result)}, {"again", to_json(canary.outcome)}};
  if (const auto& injection = canary.injection) {
    out["injection"] = {{"metric", text_of(injection->metric)},
                        {"mde", injection->mde},
                        {"least", injection->least}};
    if (const auto share = injected_share(canary.outcome, injection->metric.phase)) {
      out["injection"]["injected"] = *share;
    }
  }
  return out;
}

json to_json(const RunInfo& info) {
  json out = {{"perfgate", kVersion},
              {"family", info.family},
              {"started", info.started},
              {"device", {{"kind", info.device.kind}, {"model", info.device.model}}},
              {"device_id", info.session.device_id},
              {"host", info.session.host},
              {"commit", info.session.commit},
              {"libtorch", info.session.libtorch},
              {"compiler", info.session.compiler},
              {"ceilings", perfgate::to_json(info.session.ceilings)},
              {"environment", info.environment},
              {"settings", info.session.settings},
              {"baseline", info.baseline_path},
              {"local_baseline", info.local_baseline},
              {"command", info.command},
              {"selection", info.selection},
              {"shard", info.shard},
              {"shards", info.shards}};
  if (info.refresh) {
    out["refresh"] = true;
  }
  if (info.no_trace) {
    out["no_trace"] = *info.no_trace;
  }
  if (info.session.driver) {
    out["driver"] = *info.session.driver;
  }
  if (info.session.cuda) {
    out["cuda"] = *info.session.cuda;
  }
  return out;
}

Outcome outcome_from(const JsonCursor& cursor) {
  Outcome out;
  out.case_key = cursor.at("case").text();
  out.verdict = cursor.at("verdict").one_of<Verdict>();
  out.message = shortened(cursor.at("message").text());
  for (const auto& item : cursor.at("judgements").elements()) {
    out.judgements.push_back(judgement_from_json(item));
  }
  for (const auto& item : cursor.at("workers").elements()) {
    out.reports.push_back(worker_report_from_json(item));
  }
  out.overdue = cursor.at("overdue").boolean();
  out.learning = cursor.at("learning").boolean();
  out.other_protocol = cursor.at("other_protocol").boolean();
  if (const auto item = cursor.find("source_diff")) {
    out.source_diff = item->text();
  }
  if (const auto item = cursor.find("not_judged")) {
    for (const auto& [name, why] : item->members()) {
      const auto metric = metric_from(name);
      if (!metric) {
        why.fail("no metric");
      }
      out.not_judged[*metric] = why.text();
    }
  }
  out.recorded = cursor.at("recorded").one_of<Recorded>();
  return out;
}

Canary canary_from(const JsonCursor& cursor) {
  Canary out;
  out.outcome = outcome_from(cursor.at("again"));
  out.result = cursor.at("result").one_of<CanaryResult>();
  if (const auto injection = cursor.find("injection")) {
    out.injection = {metric_from_json(injection->at("metric")),
                     injection->at("mde").positive_number(),
                     injection->at("least").positive_number()};
  }
  return out;
}

RunInfo info_from(const JsonCursor& cursor) {
  RunInfo out;
  out.family = cursor.at("family").text();
  out.started = cursor.at("started").text();
  out.device.kind = cursor.at("device").at("kind").text();
  out.device.model = cursor.at("device").at("model").text();
  out.session.date = out.started;
  out.session.device_id = cursor.at("device_id").text();
  out.session.host = cursor.at("host").text();
  out.session.commit = cursor.at("commit").text();
  out.session.libtorch = cursor.at("libtorch").text();
  out.session.compiler = cursor.at("compiler").text();
  out.session.ceilings = ceilings_from_json(cursor.at("ceilings"));
  out.environment = cursor.at("environment").texts();
  out.baseline_path = cursor.at("baseline").text();
  out.local_baseline = cursor.at("local_baseline").boolean();
  out.refresh = cursor.find("refresh").has_value();
  for (const auto& item : cursor.at("command").elements()) {
    out.command.push_back(item.text());
  }
  out.selection = cursor.at("selection").text();
  out.shard = static_cast<int>(cursor.at("shard").integer());
  out.shards = static_cast<int>(cursor.at("shards").integer());
  if (const auto item = cursor.find("no_trace")) {
    out.no_trace = item->text();
  }
  if (const auto item = cursor.find("settings")) {
    out.session.settings = item->texts();
  }
  if (const auto item = cursor.find("driver")) {
    out.session.driver = item->text();
  }
  if (const auto item = cursor.find("cuda")) {
    out.session.cuda = item->text();
  }
  return out;
}

ExitCode exit_code_from(const JsonCursor& cursor) {
  const auto code = cursor.integer();
  for (const ExitCode known :
       {ExitCode::kOk, ExitCode::kFail, ExitCode::kUsage, ExitCode::kRefused, ExitCode::kSkipped}) {
    if (code == static_cast<int>(known)) {
      return known;
    }
  }
  cursor.fail("no exit code of perfgate's");
}

}  // namespace

json to_json(const Run& run) {
  json cases = json::array();
  for (const auto& outcome : run.outcomes) {
    cases.push_back(to_json(outcome));
  }
  json canaries = json::array();
  for (const auto& canary : run.canaries) {
    canaries.push_back(to_json(canary));
  }
  json derived = json::object();
  for (const auto& entry : means_over_shapes(run.outcomes)) {
    derived[entry.group] = {{"mean", entry.mean.value},
                            {"unit", name_of(entry.mean.unit)},
                            {"lowest", entry.lowest},
                            {"highest", entry.highest},
                            {"shapes", entry.shapes}};
  }
  json ratios = json::object();
  for (const auto& entry : speedups(run.outcomes)) {
    ratios[entry.case_key] = {
        {"over", entry.over}, {"metric", text_of(entry.metric)}, {"ratio", entry.ratio}};
    if (entry.half_width) {
      ratios[entry.case_key]["half_width"] = *entry.half_width;
    }
  }
  json global = json::array();
  for (const auto& change : run.global) {
    global.push_back(to_json(change));
  }
  json creeps = json::array();
  for (const auto& creep : run.creeps) {
    creeps.push_back(to_json(creep));
  }
  json out = {{"schema_version", kResultsSchemaVersion},
              {"run", to_json(run.info)},
              {"cases", cases},
              {"canaries", canaries},
              {"global", global},
              {"moved", run.moved},
              {"creeps", creeps},
              {"derived", derived},
              {"speedups", ratios},
              {"elapsed_s", run.elapsed_s},
              {"partial", run.partial},
              {"exit_code", static_cast<int>(run.exit_code)}};
  if (!run.not_run.empty()) {
    out["not_run"] = run.not_run;
  }
  return with_plain_texts(std::move(out));
}

void require_readable(const Outcome& outcome) {
  const json written = with_plain_texts(to_json(outcome));
  static_cast<void>(dump_readable(written));
  static_cast<void>(outcome_from(JsonCursor(written, "the results of " + outcome.case_key)));
}

Run run_from_json(const JsonCursor& cursor) {
  if (cursor.at("schema_version").integer() != kResultsSchemaVersion) {
    cursor.at("schema_version")
        .fail("written by another perfgate",
              "merge it with that perfgate, or move it out of the folder");
  }
  Run out;
  out.info = info_from(cursor.at("run"));
  for (const auto& item : cursor.at("cases").elements()) {
    out.outcomes.push_back(outcome_from(item));
    out.outcomes.back().device_id = out.info.session.device_id;
  }
  if (const auto not_run = cursor.find("not_run")) {
    for (const auto& item : not_run->elements()) {
      out.not_run.push_back(item.text());
    }
  }
  for (const auto& item : cursor.at("canaries").elements()) {
    out.canaries.push_back(canary_from(item));
    out.canaries.back().outcome.device_id = out.info.session.device_id;
  }
  for (const auto& item : cursor.at("global").elements()) {
    out.global.push_back(global_change_from_json(item));
  }
  out.moved = cursor.at("moved").text();
  if (const auto creeps = cursor.find("creeps")) {
    for (const auto& item : creeps->elements()) {
      out.creeps.push_back(creep_from_json(item));
      out.creeps.back().device_id = out.info.session.device_id;
    }
  }
  out.elapsed_s = cursor.at("elapsed_s").number();
  out.partial = cursor.at("partial").boolean();
  out.exit_code = exit_code_from(cursor.at("exit_code"));
  if (const auto contradiction = contradiction_in(out)) {
    cursor.fail(*contradiction, "perfgate wrote no such file: remove it, or restore what it was");
  }
  return out;
}

}  // namespace perfgate
