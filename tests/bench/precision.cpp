// How far do fresh processes of one case differ? Runs N workers of every selected case, one after
// the other as a session does, and prints the between-process CV of the raw time and of each judged
// measurement. What differs between sessions hours apart is bench_baseline's to tell.
//   bench_precision [perfgate flags] [WORKERS]      e.g. bench_precision --case='ops/*' 8
// It starts the gate binary that lies beside it.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "command_line.h"
#include "perfgate/backends/device_choice.h"
#include "perfgate/process/launcher.h"
#include "perfgate/process/subprocess.h"
#include "perfgate/process/worker_interface.h"
#include "perfgate/report/wording.h"
#include "perfgate/run/cli/options.h"
#include "perfgate/stats/descriptive.h"

namespace {

using perfgate::WorkerReport;

struct CaseRuns {
  std::vector<double> time_us;
  std::map<perfgate::Metric, std::vector<double>> judged;  // by metric
  double measuring_s = 0;
  bool memory_bound = false;
};

std::vector<std::string> keys_of(const std::string& gate, const std::vector<std::string>& flags) {
  perfgate::ProcessRequest request;
  request.command = {gate, "--list_cases"};
  request.command.insert(request.command.end(), flags.begin(), flags.end());
  request.output_bytes = 1 << 20;
  const auto listed = run_process(request);
  if (listed.exit_code != 0) {
    fmt::print("{}{}\n", listed.output, listed.ending(request.timeout));
    std::exit(2);
  }
  std::vector<std::string> out;
  std::istringstream lines(listed.output);
  for (std::string line; std::getline(lines, line);) {
    out.push_back(line);
  }
  return out;
}

void add(CaseRuns& runs, const WorkerReport& report) {
  for (const auto& [metric, measurement] : report.metrics) {
    if (metric.quantity == perfgate::Quantity::kTime) {
      runs.time_us.push_back(measurement.value);
    } else if (measurement.judged) {
      runs.judged[metric].push_back(measurement.value);
    }
  }
  runs.measuring_s += report.costs_s.at("measure");
  runs.memory_bound = report.phases.begin()->second.traffic.bound == perfgate::Bound::kMemory;
}

double cv(const std::vector<double>& values) {
  return std::sqrt(perfgate::deviations(values).variance()) / perfgate::mean(values);
}

// A judged metric, and whether of memory-bound cases.
using Share = std::pair<perfgate::Metric, bool>;

void print_share(const Share& share, const std::vector<double>& cvs) {
  const auto& [metric, memory_bound] = share;
  const double limit = memory_bound ? 0.025 : 0.005;
  const auto within = std::count_if(cvs.begin(), cvs.end(), [=](double v) { return v <= limit; });
  fmt::print("{}, {}-bound: median CV {:.2f} %, worst {:.2f} %; {} of {} within {:.1f} %\n",
             text_of(metric), memory_bound ? "memory" : "compute", 100 * perfgate::median(cvs),
             100 * *std::max_element(cvs.begin(), cvs.end()), within, cvs.size(), 100 * limit);
}

int run(int argc, char** argv) {
  const auto [flags, workers] = perfgate::counted_flags(argc, argv, 8);
  auto parsed = perfgate::parse_options(static_cast<int>(flags.size()) + 1, argv);
  auto& options = parsed.options;
  options.workers.program = options.workers.program.parent_path() / "perfgate";

  perfgate::ProcessLauncher launcher(
      {options.workers.program,
       options.workers.packages,
       options.workers.timeout_s,
       {},
       perfgate::worker_device(perfgate::make_device(options.device)->identity())});
  const auto machine = launcher.launch({.case_key = perfgate::kMachineKey, .check = false});
  const auto keys = keys_of(options.workers.program.string(), flags);
  std::map<std::string, CaseRuns> all;
  for (const auto& key : keys) {
    perfgate::Tuning tuning;
    for (int worker = 0; worker < workers; ++worker) {
      const auto report = launcher.launch({.case_key = key,
                                           .check = false,
                                           .inject_slowdown = options.inject_slowdown,
                                           .ceilings = machine.ceilings,
                                           .tuning = tuning});
      if (report.status != perfgate::WorkerStatus::kMeasured) {
        fmt::print("{}: {}\n", key, report.message);
        break;
      }
      tuning = report.tuning;
      add(all[key], report);
    }
  }
  fmt::print("{:<52} {:>9} {:>9} {:>10}  {}\n", "case", "median", "CV time", "measuring",
             "CV of what is judged");
  std::map<Share, std::vector<double>> shares;
  for (const auto& key : keys) {
    const auto& runs = all[key];
    if (runs.time_us.size() < 2) {
      continue;
    }
    fmt::print("{:<52} {:>9} {:>7.2f} % {:>8.2f} s ", key,
               perfgate::time_text(perfgate::median(runs.time_us)), 100 * cv(runs.time_us),
               runs.measuring_s / static_cast<double>(runs.time_us.size()));
    for (const auto& [metric, measurements] : runs.judged) {
      fmt::print(" {} {:.2f} %", text_of(metric), 100 * cv(measurements));
      shares[{metric, runs.memory_bound}].push_back(cv(measurements));
    }
    fmt::print("\n");
  }
  for (const auto& [share, cvs] : shares) {
    print_share(share, cvs);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) { return perfgate::ended(run, argc, argv); }
