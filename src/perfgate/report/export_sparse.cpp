// The CSV of PyTorch's benchmark of semi-structured sparsity, as its pandas writes it.

#include <fmt/format.h>

#include <optional>
#include <regex>

#include "perfgate/core/errors.h"
#include "perfgate/report/export.h"
#include "perfgate/report/export_parameters.h"
#include "perfgate/report/figures.h"

namespace perfgate {
namespace {

struct Wanted {
  std::string mode;
  std::string dtype;
  std::string backend;
};

Wanted wanted_by(const std::string& file_name) {
  static const std::regex form("([A-Za-z0-9-]+)_(fp16|bf16|int8|fp32)_(\\w+)\\.csv");
  std::smatch match;
  if (!std::regex_match(file_name, match, form)) {
    throw UsageError("--export=sparse_csv: " + file_name + " is not MODE_DTYPE_BACKEND.csv",
                     "for example sparse_csv:nvidia-bert_fp16_cusparselt.csv");
  }
  return {match[1], match[2], match[3]};
}

std::optional<double> latency_ms(const Outcome& outcome) {
  const auto time_us = median_figure(outcome, "time");
  return time_us ? std::optional(*time_us / 1e3) : std::nullopt;
}

std::optional<double> latency_ms(const Run& night, const std::string& key) {
  for (const auto& outcome : night.outcomes) {
    if (outcome.case_key == key) {
      return latency_ms(outcome);
    }
  }
  return std::nullopt;
}

const char* python(bool value) { return value ? "True" : "False"; }

std::string row_of(const WorkerReport& report, double sparse_ms, double dense_ms) {
  const auto layout = report.environment.find("output");
  const bool contiguous = layout != report.environment.end() && layout->second == "contiguous";
  const bool correct = report.accuracy && report.accuracy->wrong_elements == 0;
  return fmt::format("{},{},{},{},{},{},{},{},{},{},{}\n", parameter(report, "test_function"),
                     parameter(report, "m"), parameter(report, "k"), parameter(report, "n"),
                     torch_dtype(parameter(report, "dtype")), parameter(report, "backend"),
                     sparse_ms, dense_ms, dense_ms / sparse_ms, python(correct),
                     python(contiguous));
}

}  // namespace

std::string sparse_csv_text(const ExportInput& input) {
  const Wanted wanted = wanted_by(input.file_name);
  std::string rows;
  int number = 0;
  for (const auto& outcome : input.night.outcomes) {
    const auto sparse_ms = latency_ms(outcome);
    if (!sparse_ms) {
      continue;  // refused: the benchmark has no row for it either
    }
    const auto& report = outcome.reports.front();
    const auto dense_ms = latency_ms(input.night, report.compared_with);
    if (dense_ms && parameter(report, "mode") == wanted.mode &&
        parameter(report, "dtype") == wanted.dtype &&
        parameter(report, "backend") == wanted.backend) {
      rows += fmt::format("{},{}", number++, row_of(report, *sparse_ms, *dense_ms));
    }
  }
  if (rows.empty()) {
    throw UsageError(fmt::format("the results have no case of mode {}, dtype {} and backend {}",
                                 wanted.mode, wanted.dtype, wanted.backend),
                     "measure it with --case='sparse/*', or name another file");
  }
  return ",test_function,m,k,n,dtype,backend,sparse_latency (ms),dense_latency (ms),"
         "speedup (d/s),correct,contiguous\n" +
         rows;
}

}  // namespace perfgate
