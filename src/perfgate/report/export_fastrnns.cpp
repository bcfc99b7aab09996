// What PyTorch's fastrnns benchmark prints: its table and its two kinds of JSON.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "perfgate/core/errors.h"
#include "perfgate/core/readable_json.h"
#include "perfgate/report/export.h"
#include "perfgate/report/export_parameters.h"
#include "perfgate/stats/descriptive.h"

namespace perfgate {
namespace {

using nlohmann::json;

// In the benchmark's order.
struct Group {
  const char* name;
  const char* title;
};
constexpr std::array<Group, 3> kGroups = {
    {{"vl_lstm", "variable-length sequence LSTM"}, {"lstm", "LSTM"}, {"resnet", "ResNet"}}};

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// One model of a group: milliseconds, one value a sample, of all processes.
struct Row {
  std::string group;
  std::string name;
  std::vector<double> forward;
  std::vector<double> backward;
};

// The benchmark's name, behind which stands what a run of it has once for all of its models.
std::string model_of(const WorkerReport& report) {
  const std::string fuser = parameter(report, "fuser");
  const std::string executor = parameter(report, "executor");
  const bool as_it_comes = fuser.empty() || (fuser == "te" && executor == "profiling");
  return parameter(report, "name") + (as_it_comes ? "" : "_" + fuser + "_" + executor);
}

std::vector<double> milliseconds(const Outcome& outcome, Phase phase) {
  std::vector<double> out;
  for (const auto& report : outcome.reports) {
    const auto part = report.phases.find(phase);
    if (part == report.phases.end()) {
      continue;
    }
    const auto samples = part->second.samples.find("time_us");
    if (samples != part->second.samples.end()) {
      std::transform(samples->second.begin(), samples->second.end(), std::back_inserter(out),
                     [](double us) { return us / 1000; });
    }
  }
  return out;
}

std::vector<Row> rows_of(const Run& night) {
  std::vector<Row> out;
  for (const Outcome* outcome : by_row(night.outcomes)) {
    const auto& report = outcome->reports.front();
    const std::string group = parameter(report, "group");
    const auto forward = milliseconds(*outcome, Phase::kForward);
    if (!group.empty() && !forward.empty()) {
      out.push_back({group, model_of(report), forward, milliseconds(*outcome, Phase::kBackward)});
    }
  }
  if (out.empty()) {
    throw UsageError("the results have no measured case of fastrnns",
                     "measure them with --family=fastrnns");
  }
  return out;
}

double average(const std::vector<double>& values) { return values.empty() ? kNone : mean(values); }

// Unbiased, as torch.Tensor.std; not a number of fewer than two values.
double deviation(const std::vector<double>& values) {
  return values.size() < 2 ? kNone : std::sqrt(deviations(values).variance());
}

constexpr std::size_t kColumn = 16;  // as the benchmark pads

std::string cell(const std::string& text, std::size_t width = kColumn) {
  return fmt::format("{:>{}}", text, width);
}
std::string cell(double value) { return cell(fmt::format("{:.4g}", value)); }

// The benchmark cuts names to a column. Ours are longer, and cut some would be the same.
std::size_t name_width(const std::vector<Row>& rows) {
  std::size_t out = kColumn;
  for (const auto& row : rows) {
    out = std::max(out, row.name.size());
  }
  return out;
}

std::string line_of(const Row& row, std::size_t width) {
  return cell(row.name, width) + " " + cell(average(row.forward)) + " " +
         cell(deviation(row.forward)) + " " + cell("None") + " " + cell(average(row.backward)) +
         " " + cell(deviation(row.backward)) + " " + cell("None") + "\n";
}

std::string heading(std::size_t width) {
  std::string out = cell("name", width);
  for (const char* name : {"avg_fwd", "std_fwd", "info_fwd", "avg_bwd", "std_bwd", "info_bwd"}) {
    out += " " + cell(name);
  }
  return out + "\n";
}

// Calls visit(group, name, milliseconds) for each model of forward, then of backward.
template <class Visit>
void visit_values(const std::vector<Row>& rows, Visit&& visit) {
  for (const auto& group : kGroups) {
    for (const auto& row : rows) {
      if (row.group == group.name) {
        visit(row.group, row.name, row.forward);
      }
    }
    for (const auto& row : rows) {
      if (row.group == group.name && !row.backward.empty()) {
        visit(row.group + "-backward", row.name, row.backward);
      }
    }
  }
}

}  // namespace

std::string fastrnns_table_text(const ExportInput& input) {
  const auto rows = rows_of(input.night);
  const std::size_t width = name_width(rows);
  std::string out;
  for (const auto& group : kGroups) {
    std::string lines;
    for (const auto& row : rows) {
      lines += row.group == group.name ? line_of(row, width) : "";
    }
    if (!lines.empty()) {
      out += fmt::format("Benchmarking {}s...\n{}{}\n", group.title, heading(width), lines);
    }
  }
  return out;
}

std::string fastrnns_oss_text(const ExportInput& input) {
  json out = json::object();
  visit_values(rows_of(input.night),
               [&out](const std::string& group, const std::string& name,
                      const std::vector<double>& values) { out[group][name] = average(values); });
  return dump_plain(std::move(out)) + "\n";
}

std::string fastrnns_pep_text(const ExportInput& input) {
  std::string out;
  visit_values(rows_of(input.night), [&out](const std::string& group, const std::string& name,
                                            const std::vector<double>& values) {
    for (const double value : values) {
      const json line = {{"type", "NET"},
                         {"metric", group + "-" + name},
                         {"unit", "ms"},
                         {"value", fmt::format("{}", value)}};
      out += "Caffe2Observer " + dump_plain(line) + "\n";
    }
  });
  return out;
}

}  // namespace perfgate
