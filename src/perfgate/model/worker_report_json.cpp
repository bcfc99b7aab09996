#include "perfgate/model/worker_report_json.h"

#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "perfgate/core/plain_text.h"
#include "perfgate/model/measured_range.h"
#include "perfgate/model/measurement_json.h"

namespace perfgate {
namespace {

using nlohmann::json;

json to_json(const Metric& metric, const Measurement& measurement) {
  json out = {{"value", measurement.value},
              {"unit", name_of(unit_of(metric))},
              {"judged", measurement.judged},
              {"variance_class", measurement.variance_class},
              {"statistic", name_of(measurement.statistic)},
              {"derived", measurement.derived}};
  if (measurement.tolerance) {
    out["tolerance"] = *measurement.tolerance;
  }
  return out;
}

Measurement measurement_from_json(const Metric& metric, const JsonCursor& cursor) {
  cursor.allow_only(
      {"value", "unit", "judged", "variance_class", "statistic", "derived", "tolerance"});
  Measurement out;
  if (cursor.at("unit").one_of<Unit>() != unit_of(metric)) {
    cursor.at("unit").fail(text_of(metric) + " is in " + std::string(name_of(unit_of(metric))));
  }
  out.judged = cursor.at("judged").boolean();
  out.variance_class = cursor.at("variance_class").text();
  out.statistic = cursor.at("statistic").one_of<Statistic>();
  out.derived = cursor.at("derived").boolean();
  const auto value = cursor.at("value");
  out.value = out.derived ? said_number(value) : measured_number(value);
  if (out.value < 0) {
    value.fail("expected a number of at least 0");
  }
  if (const auto item = cursor.find("tolerance")) {
    out.tolerance = measured_number(*item);
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
  json out = {{"bytes", traffic.bytes.count},
              {"operations", traffic.operations.count},
              {"bound", name_of(traffic.bound)},
              {"integer", traffic.integer}};
  if (traffic.tokens > 0) {
    out["tokens"] = traffic.tokens;
  }
  return out;
}

Traffic traffic_from_json(const JsonCursor& cursor) {
  cursor.allow_only({"bytes", "operations", "bound", "integer", "tokens"});
  const auto tokens = cursor.find("tokens");
  return {{said_number(cursor.at("bytes"))},
          {said_number(cursor.at("operations"))},
          cursor.at("bound").one_of<Bound>(),
          cursor.at("integer").boolean(),
          tokens ? said_number(*tokens) : 0};
}

json to_json(const OutputReport& output) {
  json out = {{"contiguous", output.contiguous}};
  if (output.accuracy) {
    out["accuracy"] = to_json(*output.accuracy);
  }
  return out;
}

OutputReport output_from_json(const JsonCursor& cursor) {
  cursor.allow_only({"contiguous", "accuracy"});
  OutputReport out;
  out.contiguous = cursor.at("contiguous").boolean();
  if (const auto item = cursor.find("accuracy")) {
    out.accuracy = accuracy_from_json(*item);
  }
  return out;
}

json to_json(const PhaseReport& phase) {
  json outputs = json::array();
  for (const auto& output : phase.outputs) {
    outputs.push_back(to_json(output));
  }
  json out = {{"protocol", perfgate::to_json(phase.protocol)},
              {"traffic", to_json(phase.traffic)},
              {"samples", phase.samples},
              {"outputs", outputs},
              {"noisy", phase.noisy},
              {"discarded", phase.discarded},
              {"ceilings", perfgate::to_json(phase.ceilings)}};
  if (const auto why = why_untraced(phase)) {
    out["no_trace"] = *why;
  } else if (phase.trace) {
    out["kernels"] = perfgate::to_json(kernels_of(phase));
  }
  if (phase.injected_percent) {
    out["injected_percent"] = *phase.injected_percent;
  }
  return out;
}

PhaseReport phase_from_json(const JsonCursor& cursor) {
  cursor.allow_only({"protocol", "traffic", "samples", "outputs", "noisy", "discarded", "ceilings",
                     "no_trace", "kernels", "injected_percent"});
  PhaseReport out;
  out.protocol = protocol_from_json(cursor.at("protocol"));
  out.traffic = traffic_from_json(cursor.at("traffic"));
  out.ceilings = ceilings_from_json(cursor.at("ceilings"));
  for (const auto& [name, item] : cursor.at("samples").members()) {
    for (const auto& sample : item.elements()) {
      out.samples[name].push_back(said_number(sample));
    }
  }
  for (const auto& item : cursor.at("outputs").elements()) {
    out.outputs.push_back(output_from_json(item));
  }
  out.noisy = cursor.at("noisy").boolean();
  out.discarded = cursor.at("discarded").integer();
  if (const auto item = cursor.find("no_trace")) {
    out.trace = NoTrace{item->text()};
  }
  if (const auto item = cursor.find("kernels")) {
    if (out.trace) {
      item->fail("kernels, and a reason why there are none");
    }
    out.trace = kernels_from_json(*item);
  }
  if (const auto item = cursor.find("injected_percent")) {
    out.injected_percent = said_number(*item);
  }
  return out;
}

std::map<std::string, double> number_map(const JsonCursor& cursor) {
  std::map<std::string, double> out;
  for (const auto& [key, item] : cursor.members()) {
    out[key] = said_number(item);
  }
  return out;
}

}  // namespace

json to_json(const WorkerReport& report) {
  json metrics = json::object();
  for (const auto& [metric, measurement] : report.metrics) {
    metrics[text_of(metric)] = to_json(metric, measurement);
  }
  json phases = json::object();
  for (const auto& [phase, part] : report.phases) {
    phases[std::string(name_of(phase))] = to_json(part);
  }
  json out = {{"case", report.case_key},
              {"status", name_of(report.status)},
              {"message", report.message},
              {"metrics", metrics},
              {"phases", phases},
              {"costs_s", report.costs_s},
              {"environment", report.environment}};
  if (!report.ceilings.empty()) {
    out["ceilings"] = to_json(report.ceilings);
  }
  if (report.killed_after_s) {
    out["killed_after_s"] = *report.killed_after_s;
  }
  if (report.why_unfit) {
    out["why_unfit"] = *report.why_unfit;
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
  if (!report.kernel_sources.empty()) {
    out["kernel_sources"] = report.kernel_sources;
  }
  for (const auto& [package, tuning] : report.package_tunings) {
    out["package_tunings"][package] = to_json(tuning);
  }
  return out;
}

WorkerReport worker_report_from_json(const JsonCursor& cursor) {
  cursor.allow_only({"case", "status", "message", "metrics", "phases", "ceilings", "costs_s",
                     "environment", "killed_after_s", "why_unfit", "compared_with", "parameters",
                     "tuning", "kernel_sources", "package_tunings"});
  WorkerReport out;
  out.case_key = cursor.at("case").text();
  out.status = cursor.at("status").one_of<WorkerStatus>();
  out.message = shortened(cursor.at("message").text());
  for (const auto& [name, item] : cursor.at("phases").members()) {
    const auto phase = from_name<Phase>(name);
    if (!phase) {
      item.fail("no phase of a case");
    }
    out.phases[*phase] = phase_from_json(item);
  }
  for (const auto& [name, item] : cursor.at("metrics").members()) {
    const auto metric = metric_from(name);
    if (!metric) {
      item.fail("no metric");
    }
    if (out.phases.count(metric->phase) == 0) {
      item.fail("\"phases\" does not describe its phase");
    }
    out.metrics[*metric] = measurement_from_json(*metric, item);
  }
  if (const auto item = cursor.find("ceilings")) {
    out.ceilings = ceilings_from_json(*item);
  }
  out.costs_s = number_map(cursor.at("costs_s"));
  out.environment = cursor.at("environment").texts();
  if (const auto item = cursor.find("killed_after_s")) {
    out.killed_after_s = item->positive_number();
  }
  if (const auto item = cursor.find("why_unfit")) {
    out.why_unfit = item->text();
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
  if (const auto item = cursor.find("kernel_sources")) {
    out.kernel_sources = item->texts();
  }
  if (const auto item = cursor.find("package_tunings")) {
    for (const auto& [package, tuning] : item->members()) {
      out.package_tunings[package] = package_tuning_from_json(tuning);
    }
  }
  return out;
}

}  // namespace perfgate
