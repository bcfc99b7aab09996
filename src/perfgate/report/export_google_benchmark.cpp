// The JSON that google/benchmark writes and its tools/compare.py reads.

#include <nlohmann/json.hpp>

#include "perfgate/core/readable_json.h"
#include "perfgate/report/export.h"
#include "perfgate/report/wording.h"

namespace perfgate {
namespace {

using nlohmann::json;

// A row a case and phase: compare.py's mean over a file counts rows, and a case that was measured
// by five processes is worth no more than one that passed on its first.
json row_of(const Outcome& outcome, Phase phase, double time_us) {
  const auto& part = outcome.reports.front().phase(phase);
  const auto samples = part.samples.find("time_us");
  const std::string name = key_of_phase(outcome.case_key, phase);
  json out = {
      {"name", name},
      {"run_name", name},
      {"run_type", "iteration"},
      {"repetitions", 1},
      {"repetition_index", 0},
      {"threads", 1},
      {"iterations", samples == part.samples.end() ? 1 : samples->second.size()},
      {"real_time", time_us},
      {"cpu_time", median_measurement(outcome, kHostTime.in(phase)).value_or(time_us)},
      {"time_unit", "us"},
      {"label", name_of(outcome.verdict)},
      {"processes", outcome.reports.size()},
  };
  if (part.traffic.bytes.count > 0) {
    out["bytes_per_second"] = part.traffic.bytes.count / (time_us * 1e-6);
  }
  if (part.traffic.tokens > 0) {
    out["tokens_per_second"] = part.traffic.tokens / (time_us * 1e-6);
  }
  if (part.traffic.operations.count > 0) {
    out["items_per_second"] = part.traffic.operations.count / (time_us * 1e-6);
  }
  return out;
}

}  // namespace

std::string google_benchmark_text(const ExportInput& input) {
  const Run& night = input.night;
  json rows = json::array();
  for (const auto& outcome : night.outcomes) {
    for (const Phase phase : phases_of(outcome)) {
      // A row without a time costs the others their mean in compare.py.
      if (const auto time_us = median_measurement(outcome, kTime.in(phase))) {
        rows.push_back(row_of(outcome, phase, *time_us));
      }
    }
  }
  json document = {
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
        {"device_id", night.info.session.device_id},
        {"libtorch", night.info.session.libtorch},
        {"commit", night.info.session.commit}}},
      {"benchmarks", rows}};
  return dump_plain(std::move(document), 2) + "\n";
}

}  // namespace perfgate
