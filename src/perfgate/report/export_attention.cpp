// The table of PyTorch's benchmark of attention: a row a shape, a column an implementation.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <vector>

#include "perfgate/core/errors.h"
#include "perfgate/core/plain_text.h"
#include "perfgate/report/export.h"
#include "perfgate/report/export_parameters.h"
#include "perfgate/report/wording.h"

namespace perfgate {
namespace {

constexpr std::array<const char*, 4> kImplementations = {"nn_mha", "nn_mha_compiled", "composite",
                                                         "composite_compiled"};
constexpr const char* kNone = "None";
using Row = std::vector<std::string>;

Row heading() {
  return {"batch_size",
          "num_heads",
          "max_sequence_len",
          "embed_dimension",
          "dtype",
          "pad_percentage",
          "enable_math",
          "enable_flash",
          "enable_mem_efficient",
          "enable_cudnn",
          "nn_mha_time (\u00B5s)",
          "compiled_nn_mha_time (\u00B5s)",
          "composite_mha_time (\u00B5s)",
          "compiled_composite_mha_time (\u00B5s)"};
}

// The columns before the times. The four implementations run without the math kernel.
Row shape_of(const WorkerReport& report) {
  return {parameter(report, "batch_size"),
          parameter(report, "num_heads"),
          parameter(report, "max_sequence_len"),
          parameter(report, "embed_dimension"),
          torch_dtype(parameter(report, "dtype")),
          parameter(report, "pad_percentage"),
          "False",
          "True",
          "True",
          "True"};
}

// The row of this shape, added where there is none yet.
Row& row_for(const Row& shape, std::vector<Row>& rows) {
  const auto same = [&shape](const Row& row) {
    return std::equal(shape.begin(), shape.end(), row.begin());
  };
  const auto found = std::find_if(rows.begin(), rows.end(), same);
  if (found != rows.end()) {
    return *found;
  }
  rows.push_back(shape);
  rows.back().resize(shape.size() + kImplementations.size(), kNone);
  return rows.back();
}

std::vector<Row> rows_of(const Run& night) {
  std::vector<Row> out;
  for (const Outcome* outcome : by_row(night.outcomes)) {
    const auto& report = outcome->reports.front();
    const auto name = parameter(report, "implementation");
    const auto column = std::find(kImplementations.begin(), kImplementations.end(), name);
    if (parameter(report, "num_heads").empty() || column == kImplementations.end()) {
      continue;
    }
    const Row shape = shape_of(report);
    Row& row = row_for(shape, out);
    if (const auto time_us = median_measurement(*outcome, kTime)) {
      const auto place = static_cast<std::size_t>(column - kImplementations.begin());
      row.at(shape.size() + place) = fmt::format("{:f}", *time_us);
    }
  }
  if (out.empty()) {
    throw UsageError(
        "the results have none of attention's nn_mha, composite and their compiled forms",
        "measure them with --family=attention");
  }
  return out;
}

// A micro sign is two bytes and one column.
std::size_t columns_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

}  // namespace

// Python's csv.writer, of which the benchmark keeps what it wrote, ends lines so on every system.
std::string attention_csv_text(const ExportInput& input) {
  std::string out = fmt::format("{}\r\n", fmt::join(heading(), ","));
  for (auto row : rows_of(input.night)) {
    std::replace(row.begin(), row.end(), std::string(kNone), std::string());
    std::transform(row.begin(), row.end(), row.begin(), for_csv);
    out += fmt::format("{}\r\n", fmt::join(row, ","));
  }
  return out;
}

std::string attention_table_text(const ExportInput& input) {
  auto rows = rows_of(input.night);
  rows.insert(rows.begin(), heading());
  std::vector<std::size_t> widths(rows.front().size());
  std::string rule = "+";
  for (std::size_t i = 0; i < widths.size(); ++i) {
    for (const auto& row : rows) {
      widths[i] = std::max(widths[i], columns_of(row[i]));
    }
    rule += std::string(widths[i] + 2, '-') + "+";
  }
  rule += '\n';
  std::string out = rule;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    out += '|';
    for (std::size_t i = 0; i < widths.size(); ++i) {
      out += fmt::format(" {:^{}} |", rows[r][i], widths[i]);
    }
    out += r == 0 ? "\n" + rule : "\n";
  }
  return out + rule;
}

}  // namespace perfgate
