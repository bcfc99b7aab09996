// The JSON that google/benchmark writes and its tools/compare.py reads.

#include <nlohmann/json.hpp>

#include "perfgate/report/export.h"

namespace perfgate {
namespace {

using nlohmann::json;

double figure_or(const WorkerReport& report, const char* metric, double otherwise) {
  const auto found = report.metrics.find(metric);
  return found == report.metrics.end() ? otherwise : found->second.figure;
}

json row_of(const Outcome& outcome, std::size_t index) {
  const auto& report = outcome.reports[index];
  const auto samples = report.samples.find("time_us");
  const double time_us = report.metrics.at("time").figure;
  json out = {
      {"name", outcome.case_key},
      {"run_name", outcome.case_key},
      {"run_type", "iteration"},
      {"repetitions", outcome.reports.size()},
      {"repetition_index", index},
      {"threads", 1},
      {"iterations", samples == report.samples.end() ? 1 : samples->second.size()},
      {"real_time", time_us},
      {"cpu_time", figure_or(report, "host_time", time_us)},
      {"time_unit", "us"},
      {"label", name_of(outcome.verdict)},
  };
  if (report.traffic.bytes.count > 0) {
    out["bytes_per_second"] = report.traffic.bytes.count / (time_us * 1e-6);
  }
  if (report.traffic.operations.count > 0) {
    out["items_per_second"] = report.traffic.operations.count / (time_us * 1e-6);
  }
  return out;
}

}  // namespace

std::string google_benchmark_text(const ExportInput& input) {
  const Run& night = input.night;
  json rows = json::array();
  for (const auto& outcome : night.outcomes) {
    for (std::size_t i = 0; i < outcome.reports.size(); ++i) {
      if (outcome.reports[i].metrics.count("time") > 0) {  // a row without one costs the others
        rows.push_back(row_of(outcome, i));                // their mean in compare.py
      }
    }
  }
  const json document = {
      {"context",
       {{"date", night.info.started},
        {"host_name", night.info.session.host},
        {"executable", night.info.command.empty() ? "perfgate" : night.info.command.front()},
        {"num_cpus", 1},
        {"mhz_per_cpu", 0},
        {"cpu_scaling_enabled", false},
        {"caches", json::array()},
        {"library_build_type", "release"},
        {"json_schema_version", 1},
        {"device", night.info.device.model},
        {"unit", night.info.session.unit},
        {"libtorch", night.info.session.libtorch},
        {"commit", night.info.session.commit}}},
      {"benchmarks", rows}};
  return document.dump(2) + "\n";
}

}  // namespace perfgate
