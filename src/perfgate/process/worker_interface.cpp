#include "perfgate/process/worker_interface.h"

#include <nlohmann/json.hpp>
#include <string_view>

#include "perfgate/core/json.h"
#include "perfgate/core/plain_text.h"
#include "perfgate/core/readable_json.h"
#include "perfgate/model/worker_report_json.h"

namespace perfgate {
namespace {

using nlohmann::json;

constexpr const char* kInterface = "interface";

// The part of this name, once it is known that the same version wrote it.
JsonCursor part_of(const json& document, const std::string& source, const char* name) {
  const JsonCursor cursor(document, source);
  const auto version = cursor.at(kInterface).integer();
  if (version != kWorkerInterface) {
    throw OtherInterface(source + ": at \"/" + kInterface + "\": " + std::to_string(version) +
                             ", and this perfgate has interface " +
                             std::to_string(kWorkerInterface),
                         "build parent and worker from commits of one interface");
  }
  cursor.allow_only({kInterface, name});
  return cursor.at(name);
}

std::string line_of(const char* name, json part) {
  return dump_plain({{kInterface, kWorkerInterface}, {name, std::move(part)}}) + "\n";
}

}  // namespace

std::string to_text(const WorkerRequest& request) {
  return line_of("request", {{"case", request.case_key},
                             {"check", request.check},
                             {"inject_slowdown", request.inject_slowdown},
                             {"ceilings", to_json(request.ceilings)},
                             {"tuning", request.tuning},
                             {"chrome_trace", request.chrome_trace}});
}

WorkerRequest worker_request_from_text(const std::string& text) {
  const std::string source = "the worker's request";
  const auto document = parse_strict(text, source);
  const JsonCursor cursor = part_of(document, source, "request");
  cursor.allow_only({"case", "check", "inject_slowdown", "ceilings", "tuning", "chrome_trace"});
  WorkerRequest out;
  out.case_key = cursor.at("case").text();
  out.check = cursor.at("check").boolean();
  out.inject_slowdown = cursor.at("inject_slowdown").number();
  out.ceilings = ceilings_from_json(cursor.at("ceilings"));
  out.tuning = cursor.at("tuning").texts();
  out.chrome_trace = cursor.at("chrome_trace").text();
  return out;
}

std::string to_text(const WorkerReport& report) {
  WorkerReport shown = report;
  shown.message = shortened(plain(report.message));
  for (auto& [name, text] : shown.environment) {
    text = shortened(plain(text));
  }
  return line_of("report", to_json(shown));
}

WorkerReport worker_report_from_text(const std::string& text) {
  const std::string source = "the worker's report";
  const std::string_view notice = kMeasuresNoMore;
  const bool noticed = std::string_view(text).substr(0, notice.size()) == notice;
  const auto document = parse_strict(noticed ? text.substr(notice.size()) : text, source);
  return worker_report_from_json(part_of(document, source, "report"));
}

}  // namespace perfgate
