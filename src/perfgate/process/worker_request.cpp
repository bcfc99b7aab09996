#include "perfgate/process/worker_request.h"

#include <nlohmann/json.hpp>

#include "perfgate/core/json.h"

namespace perfgate {

std::string to_text(const WorkerRequest& request) {
  const nlohmann::json document = {{"case", request.case_key},
                                   {"check", request.check},
                                   {"inject_slowdown", request.inject_slowdown},
                                   {"ceilings", request.ceilings},
                                   {"tuning", request.tuning}};
  return document.dump() + "\n";
}

WorkerRequest worker_request_from_text(const std::string& text) {
  const std::string source = "the worker's request";
  const auto document = parse_strict(text, source);
  const JsonCursor cursor(document, source);
  cursor.allow_only({"case", "check", "inject_slowdown", "ceilings", "tuning"});
  WorkerRequest out;
  out.case_key = cursor.at("case").text();
  out.check = cursor.at("check").boolean();
  out.inject_slowdown = cursor.at("inject_slowdown").number();
  for (const auto& [name, ceiling] : cursor.at("ceilings").members()) {
    out.ceilings[name] = ceiling.positive_number();
  }
  out.tuning = cursor.at("tuning").texts();
  return out;
}

}  // namespace perfgate
