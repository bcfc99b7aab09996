#include "perfgate/model/worker_report_json.h"

#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "perfgate/model/measurement_json.h"

namespace perfgate {
namespace {

using nlohmann::json;

constexpr std::array<std::pair<WorkerStatus, const char*>, 4> kStatusNames = {{
    {WorkerStatus::kMeasured, "measured"},
    {WorkerStatus::kWrong, "wrong"},
    {WorkerStatus::kUnsupported, "unsupported"},
    {WorkerStatus::kError, "error"},
}};

std::string to_string(WorkerStatus status) {
  for (const auto& [value, name] : kStatusNames) {
    if (value == status) {
      return name;
    }
  }
  return "error";
}

WorkerStatus status_from_json(const JsonCursor& cursor) {
  const std::string text = cursor.text();
  for (const auto& [value, name] : kStatusNames) {
    if (text == name) {
      return value;
    }
  }
  cursor.fail("unknown status \"" + text + "\"");
}

json to_json(const Reading& reading) {
  json out = {{"figure", reading.figure},
              {"unit", reading.unit},
              {"better", perfgate::to_string(reading.better)},
              {"judged", reading.judged},
              {"variance_class", reading.variance_class},
              {"statistic", perfgate::to_string(reading.statistic)},
              {"derived", reading.derived}};
  if (reading.tolerance) {
    out["tolerance"] = *reading.tolerance;
  }
  return out;
}

Reading reading_from_json(const JsonCursor& cursor) {
  cursor.allow_only({"figure", "unit", "better", "judged", "variance_class", "statistic", "derived",
                     "tolerance"});
  Reading out;
  out.unit = cursor.at("unit").text();
  out.better = better_from_json(cursor.at("better"));
  out.judged = cursor.at("judged").boolean();
  out.variance_class = cursor.at("variance_class").text();
  out.statistic = statistic_from_json(cursor.at("statistic"));
  out.derived = cursor.at("derived").boolean();
  const auto figure = cursor.at("figure");
  out.figure = out.derived ? figure.number() : figure.positive_number();
  if (out.figure < 0) {
    figure.fail("expected a number of at least 0");
  }
  if (const auto item = cursor.find("tolerance")) {
    out.tolerance = item->positive_number();
  }
  return out;
}

// A wrong output may hold NaN or infinity, which JSON cannot say: null, here alone.
json number_or_null(double value) { return std::isfinite(value) ? json(value) : json(nullptr); }

json to_json(const Accuracy& accuracy) {
  return {{"max_absolute", number_or_null(accuracy.max_absolute)},
          {"max_relative", number_or_null(accuracy.max_relative)},
          {"worst_index", accuracy.worst_index},
          {"worst_actual", number_or_null(accuracy.worst_actual)},
          {"worst_expected", number_or_null(accuracy.worst_expected)},
          {"allowed_at_worst", number_or_null(accuracy.allowed_at_worst)},
          {"wrong_elements", accuracy.wrong_elements},
          {"elements", accuracy.elements}};
}

double number_or_nan(const JsonCursor& cursor) {
  return cursor.raw().is_null() ? std::numeric_limits<double>::quiet_NaN() : cursor.number();
}

Accuracy accuracy_from_json(const JsonCursor& cursor) {
  cursor.allow_only({"max_absolute", "max_relative", "worst_index", "worst_actual",
                     "worst_expected", "allowed_at_worst", "wrong_elements", "elements"});
  Accuracy out;
  out.max_absolute = number_or_nan(cursor.at("max_absolute"));
  out.max_relative = number_or_nan(cursor.at("max_relative"));
  for (const auto& item : cursor.at("worst_index").elements()) {
    out.worst_index.push_back(item.integer());
  }
  out.worst_actual = number_or_nan(cursor.at("worst_actual"));
  out.worst_expected = number_or_nan(cursor.at("worst_expected"));
  out.allowed_at_worst = number_or_nan(cursor.at("allowed_at_worst"));
  out.wrong_elements = cursor.at("wrong_elements").integer();
  out.elements = cursor.at("elements").integer();
  return out;
}

json to_json(const Traffic& traffic) {
  return {{"bytes", traffic.bytes.count},
          {"operations", traffic.operations.count},
          {"bound", traffic.bound == Bound::kMemory ? "memory" : "compute"},
          {"integer", traffic.integer}};
}

Traffic traffic_from_json(const JsonCursor& cursor) {
  cursor.allow_only({"bytes", "operations", "bound", "integer"});
  const std::string bound = cursor.at("bound").text();
  if (bound != "memory" && bound != "compute") {
    cursor.at("bound").fail("expected \"memory\" or \"compute\"");
  }
  return {{cursor.at("bytes").number()},
          {cursor.at("operations").number()},
          bound == "memory" ? Bound::kMemory : Bound::kCompute,
          cursor.at("integer").boolean()};
}

std::map<std::string, double> number_map(const JsonCursor& cursor) {
  std::map<std::string, double> out;
  for (const auto& [key, item] : cursor.members()) {
    out[key] = item.number();
  }
  return out;
}

}  // namespace

json to_json(const WorkerReport& report) {
  json metrics = json::object();
  for (const auto& [name, reading] : report.metrics) {
    metrics[name] = to_json(reading);
  }
  json out = {{"case", report.case_key},
              {"status", to_string(report.status)},
              {"message", report.message},
              {"metrics", metrics},
              {"protocol", to_json(report.protocol)},
              {"traffic", to_json(report.traffic)},
              {"samples", report.samples},
              {"ceilings", report.ceilings},
              {"costs_s", report.costs_s},
              {"environment", report.environment},
              {"noisy", report.noisy},
              {"discarded", report.discarded}};
  if (report.accuracy) {
    out["accuracy"] = to_json(*report.accuracy);
  }
  if (!report.kernels.empty()) {
    out["kernels"] = to_json(report.kernels);
  }
  if (report.objection) {
    out["objection"] = *report.objection;
  }
  if (!report.parameters.empty()) {
    out["parameters"] = to_json(report.parameters);
  }
  if (!report.compared_with.empty()) {
    out["compared_with"] = report.compared_with;
  }
  if (!report.tuning.empty()) {
    out["tuning"] = report.tuning;
  }
  if (report.planted_percent) {
    out["planted_percent"] = *report.planted_percent;
  }
  return out;
}

WorkerReport worker_report_from_json(const JsonCursor& cursor) {
  cursor.allow_only({"case", "status", "message", "metrics", "protocol", "traffic", "samples",
                     "ceilings", "costs_s", "environment", "noisy", "discarded", "accuracy",
                     "kernels", "objection", "planted_percent", "compared_with", "parameters",
                     "tuning"});
  WorkerReport out;
  out.case_key = cursor.at("case").text();
  out.status = status_from_json(cursor.at("status"));
  out.message = cursor.at("message").text();
  for (const auto& [name, item] : cursor.at("metrics").members()) {
    out.metrics[name] = reading_from_json(item);
  }
  out.protocol = protocol_from_json(cursor.at("protocol"));
  out.traffic = traffic_from_json(cursor.at("traffic"));
  for (const auto& [name, item] : cursor.at("samples").members()) {
    out.samples[name] = item.numbers();
  }
  out.ceilings = number_map(cursor.at("ceilings"));
  out.costs_s = number_map(cursor.at("costs_s"));
  out.environment = cursor.at("environment").texts();
  out.noisy = cursor.at("noisy").boolean();
  out.discarded = cursor.at("discarded").integer();
  if (const auto item = cursor.find("accuracy")) {
    out.accuracy = accuracy_from_json(*item);
  }
  if (const auto item = cursor.find("kernels")) {
    out.kernels = kernels_from_json(*item);
  }
  if (const auto item = cursor.find("objection")) {
    out.objection = item->text();
  }
  if (const auto item = cursor.find("parameters")) {
    out.parameters = protocol_from_json(*item);
  }
  if (const auto item = cursor.find("compared_with")) {
    out.compared_with = item->text();
  }
  if (const auto item = cursor.find("tuning")) {
    out.tuning = item->texts();
  }
  if (const auto item = cursor.find("planted_percent")) {
    out.planted_percent = item->number();
  }
  return out;
}

}  // namespace perfgate
