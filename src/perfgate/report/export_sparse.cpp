// The CSV of PyTorch's benchmark of semi-structured sparsity, as its pandas writes it.

#include <fmt/format.h>

#include <optional>
#include <vector>

#include "perfgate/core/errors.h"
#include "perfgate/core/pattern.h"
#include "perfgate/core/plain_text.h"
#include "perfgate/report/export.h"
#include "perfgate/report/export_parameters.h"
#include "perfgate/stats/descriptive.h"

namespace perfgate {
namespace {

struct Wanted {
  std::string mode;
  std::string dtype;
  std::string backend;
};

Wanted wanted_by(const std::string& file_name, const std::string& format) {
  static const Pattern form("([A-Za-z0-9-]+)_(fp16|bf16|int8|fp32)_(\\w+)\\.csv");
  const auto match = form.match(file_name);
  if (!match) {
    throw UsageError("--export=" + format + ": " + file_name + " is not MODE_DTYPE_BACKEND.csv",
                     "for example " + format + ":nvidia-bert_fp16_cusparselt.csv");
  }
  return {match->at(1), match->at(2), match->at(3)};
}

// Of wrong products too: the table says which are correct. Nothing of refused ones, for which the
// benchmark has no row either.
std::optional<double> latency_ms(const Outcome& outcome) {
  std::vector<double> times_us;
  for (const auto& report : outcome.reports) {
    if (report.metrics.count(kTime) > 0) {
      times_us.push_back(report.metrics.at(kTime).value);
    }
  }
  return times_us.empty() ? std::nullopt : std::optional(median(times_us) / 1e3);
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

// As pandas has it: "1.0", where {fmt} leaves the point out.
std::string python(double value) {
  const std::string out = fmt::format("{}", value);
  return out.find_first_of(".e") == std::string::npos ? out + ".0" : out;
}

std::string row_of(const WorkerReport& report, double sparse_ms, double dense_ms) {
  const auto& outputs = report.phase(Phase::kWhole).outputs;
  const bool contiguous = !outputs.empty() && outputs.front().contiguous;
  // Wrong may also be the layout, which has a column of its own.
  const bool correct =
      report.status != WorkerStatus::kWrong || (!outputs.empty() && outputs.front().accuracy &&
                                                outputs.front().accuracy->wrong_elements == 0);
  const auto field = [&report](const char* name) { return for_csv(parameter(report, name)); };
  return fmt::format("{},{},{},{},{},{},{},{},{},{},{}\n", field("test_function"), field("m"),
                     field("k"), field("n"), for_csv(torch_dtype(parameter(report, "dtype"))),
                     field("backend"), python(sparse_ms), python(dense_ms),
                     python(dense_ms / sparse_ms), python(correct), python(contiguous));
}

std::string csv_text(const ExportInput& input, const std::string& format,
                     const std::string& function) {
  const Wanted wanted = wanted_by(input.file_name, format);
  std::string rows;
  int number = 0;
  for (const Outcome* outcome : by_row(input.night.outcomes)) {
    const auto sparse_ms = latency_ms(*outcome);
    if (!sparse_ms) {
      continue;
    }
    const auto& report = outcome->reports.front();
    const auto dense_ms = latency_ms(input.night, report.compared_with);
    if (dense_ms && parameter(report, "test_function") == function &&
        parameter(report, "mode") == wanted.mode && parameter(report, "dtype") == wanted.dtype &&
        parameter(report, "backend") == wanted.backend) {
      rows += fmt::format("{},{}", number++, row_of(report, *sparse_ms, *dense_ms));
    }
  }
  if (rows.empty()) {
    throw UsageError(fmt::format("the results have no {} of mode {}, dtype {} and backend {}",
                                 function, wanted.mode, wanted.dtype, wanted.backend),
                     fmt::format("measure it and the dense one with --case='sparse/{}/*/{}/*', or "
                                 "name another file",
                                 function, wanted.dtype));
  }
  return ",test_function,m,k,n,dtype,backend,sparse_latency (ms),dense_latency (ms),"
         "speedup (d/s),correct,contiguous\n" +
         rows;
}

}  // namespace

std::string sparse_csv_text(const ExportInput& input) {
  return csv_text(input, "sparse_csv", "tensor");
}

std::string sparse_linear_csv_text(const ExportInput& input) {
  return csv_text(input, "sparse_linear_csv", "linear");
}

}  // namespace perfgate
