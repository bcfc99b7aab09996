// How does the gate do, night after night? Runs the whole suite N times and prints alarms, what it
// could detect, what it caught of injected work, and how long it took.
//   bench_nights [perfgate flags] [NIGHTS]      e.g. bench_nights --inject_slowdown=20 1
// It starts the gate binary that lies beside it. The certificate is of nights that are over: each
// FOLDER is a night's results, holds such folders, or is a baseline, whose sessions are then judged
// by each other; of each of its families NIGHTS are drawn from all sessions, too (usually 100).
//   bench_nights certificate FOLDER... [NIGHTS]       e.g. build/nightly/nights
//   baselines/NVIDIA_H200

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "certificate.h"
#include "command_line.h"
#include "perfgate/core/errors.h"
#include "perfgate/process/subprocess.h"
#include "perfgate/report/merge.h"
#include "perfgate/report/wording.h"
#include "perfgate/stats/descriptive.h"
#include "read_run.h"
#include "recorded_nights.h"

namespace {

namespace fs = std::filesystem;
using perfgate::Outcome;
using perfgate::read_run;
using perfgate::Run;
using perfgate::Verdict;

struct Injections {
  int detectable = 0;  // injected at least the case's MDE
  int caught = 0;      // of those
  int hidden = 0;      // injected less than the case's MDE
};

Run run_night(const fs::path& gate, std::vector<std::string> flags, const fs::path& results) {
  perfgate::ProcessRequest request;
  request.command = {gate.string()};
  request.command.insert(request.command.end(), flags.begin(), flags.end());
  request.command.push_back("--results=" + results.string());
  request.timeout = std::chrono::hours(2);
  const auto result = run_process(request);
  fs::create_directories(results);  // a gate that ends in a usage error writes nothing
  for (const auto& entry : fs::directory_iterator(results)) {
    return read_run(entry.path());
  }
  fs::remove_all(results.parent_path());
  fmt::print("{}\n", result.output);
  std::exit(1);
}

// What cannot run here is no alarm; what runs and cannot be judged is one.
bool is_alarm(const Outcome& outcome) {
  const bool runs = !outcome.reports.empty() &&
                    outcome.reports.front().status == perfgate::WorkerStatus::kMeasured;
  return outcome.verdict != Verdict::kPass && (outcome.verdict != Verdict::kUnsupported || runs);
}

void print_alarm(const Outcome& outcome) {
  const auto* judgement = outcome.deciding();
  fmt::print("    {}  {}  {}\n", perfgate::name_of(outcome.verdict), outcome.case_key,
             judgement == nullptr
                 ? outcome.message
                 : fmt::format("{} (MDE {}), p = {:.0e}",
                               perfgate::change_in_words(judgement->metric, judgement->change),
                               perfgate::percent_text(judgement->mde), judgement->p_value));
}

void count_injection(const Outcome& outcome, Injections& injections) {
  if (outcome.judgements.empty()) {
    return;
  }
  const perfgate::Phase phase = outcome.deciding()->metric.phase;
  if (!outcome.reports.front().phase(phase).injected_percent) {
    return;
  }
  std::vector<double> injected;
  for (const auto& report : outcome.reports) {
    injected.push_back(report.phase(phase).injected_percent.value_or(0));
  }
  const double percent = perfgate::median(injected);
  if (percent < 100 * outcome.deciding()->mde) {
    ++injections.hidden;
    return;
  }
  ++injections.detectable;
  if (outcome.verdict == Verdict::kRegressed) {
    ++injections.caught;
  } else {
    fmt::print("    MISSED {}: injected {:.1f} %, MDE {}\n", outcome.case_key, percent,
               perfgate::percent_text(outcome.deciding()->mde));
  }
}

void print_sensitivity(const Run& run) {
  std::vector<double> mde;
  for (const auto& outcome : run.outcomes) {
    if (const auto* judgement = outcome.deciding()) {
      mde.push_back(judgement->mde);
    }
  }
  for (const double limit : {0.10, 0.15, 0.20}) {
    const auto within = std::count_if(mde.begin(), mde.end(), [=](double m) { return m <= limit; });
    fmt::print("  MDE <= {:.0f} %: {} of {} judged measurements\n", 100 * limit, within,
               mde.size());
  }
}

// Whether the folder had a night's results, or folders that had.
bool add_nights(const fs::path& folder, perfgate::Certificate& certificate) {
  std::vector<Run> runs;
  bool any = false;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.is_directory()) {
      any = add_nights(entry.path(), certificate) || any;
    } else if (entry.path().extension() == ".json") {
      runs.push_back(read_run(entry.path()));
    }
  }
  if (runs.empty()) {
    return any;
  }
  for (const auto& night : perfgate::merged(std::move(runs), {})) {
    certificate.add(night);
  }
  return true;
}

int print_certificate(const std::vector<std::string>& folders, int drawn) {
  perfgate::Certificate certificate;
  for (const fs::path folder : folders) {
    if (fs::exists(folder / "device.json")) {
      perfgate::add_recorded_nights(folder, drawn, certificate);
    } else if (!fs::is_directory(folder) || !add_nights(folder, certificate)) {
      throw perfgate::UsageError(
          "no results and no baseline in " + folder.string(),
          "name a folder like build/nightly/nights or baselines/NVIDIA_H200");
    }
  }
  fmt::print("{}", certificate.text());
  return 0;
}

int run(int argc, char** argv) {
  if (argc > 2 && argv[1] == std::string("certificate")) {
    const auto [folders, drawn] = perfgate::counted_flags(argc - 1, argv + 1, 100);
    return print_certificate(folders, drawn);
  }
  const auto [flags, nights] = perfgate::counted_flags(argc, argv, 10);
  const bool injected = std::any_of(flags.begin(), flags.end(), [](const std::string& flag) {
    return flag.rfind("--inject_slowdown", 0) == 0;
  });
  const fs::path gate = fs::read_symlink("/proc/self/exe").parent_path() / "perfgate";
  std::string pattern = (fs::temp_directory_path() / "nightsXXXXXX").string();
  const fs::path folder = mkdtemp(pattern.data());
  Injections injections;
  int alarms = 0;
  for (int night = 1; night <= nights; ++night) {
    const Run run = run_night(gate, flags, folder / std::to_string(night));
    if (night == 1) {
      fmt::print("{}  {}  LibTorch {}  commit {}  baseline {}\n", run.info.started,
                 run.info.device.model, run.info.session.libtorch, run.info.session.commit,
                 run.info.baseline_path);
      print_sensitivity(run);
    }
    fmt::print("  night {:>2}: {:>5.0f} s  {} cases  {} PASS\n", night, run.elapsed_s,
               run.outcomes.size(), count(run.outcomes, Verdict::kPass));
    for (const auto& outcome : run.outcomes) {
      count_injection(outcome, injections);
      if (!injected && is_alarm(outcome)) {
        ++alarms;
        print_alarm(outcome);
      }
    }
    std::fflush(stdout);
  }
  if (injected) {
    fmt::print(
        "injected: caught {} of {} whose MDE is within the injected work; {} had a larger MDE\n",
        injections.caught, injections.detectable, injections.hidden);
  } else {
    fmt::print("{} alarms in {} nights\n", alarms, nights);
  }
  fs::remove_all(folder);
  return 0;
}

}  // namespace

int main(int argc, char** argv) { return perfgate::ended(run, argc, argv); }
