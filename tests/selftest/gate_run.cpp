#include "gate_run.h"

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "perfgate/baseline/store.h"
#include "perfgate/core/files.h"
#include "perfgate/core/json.h"
#include "perfgate/process/subprocess.h"
#include "perfgate/report/results_json.h"

namespace perfgate::selftest {

namespace fs = std::filesystem;

GateFolder::GateFolder(std::string program) : program_(std::move(program)) {
  std::string pattern = (fs::temp_directory_path() / "selftestXXXXXX").string();
  path_ = mkdtemp(pattern.data());
  fs::create_directories(path_ / "baselines");
  fs::create_directories(path_ / "tape");
}

GateFolder::~GateFolder() { fs::remove_all(path_); }

fs::path GateFolder::results_folder() const { return path_ / ("results" + std::to_string(runs_)); }

std::vector<std::string> GateFolder::command(const std::vector<std::string>& flags) const {
  std::vector<std::string> out = {program_, "--baselines=" + (path_ / "baselines").string(),
                                  "--results=" + results_folder().string(),
                                  "--history=" + (path_ / "history").string()};
  out.insert(out.end(), flags.begin(), flags.end());
  return out;
}

int GateFolder::run(const std::vector<std::string>& flags,
                    const std::map<std::string, std::string>& environment) {
  ++runs_;
  ProcessRequest request;
  request.command = command(flags);
  request.environment = environment;
  request.environment["PERFGATE_REPLAY_TAPE"] = (path_ / "tape").string();
  request.timeout = std::chrono::minutes(10);
  const auto result = run_process(request);
  printed_ = result.output;
  return result.signal ? 128 + *result.signal : result.exit_code.value_or(-1);
}

Run GateFolder::results() const {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(results_folder())) {
    if (entry.is_regular_file()) {
      files.push_back(entry.path());
    }
  }
  if (files.size() != 1) {
    throw std::runtime_error(std::to_string(files.size()) + " results files, expected one");
  }
  const auto document = parse_strict(read_file(files.front()), files.front().string());
  return run_from_json(JsonCursor(document, files.front().string()));
}

const Outcome& GateFolder::outcome(const std::string& case_key) {
  last_ = results();
  for (const auto& outcome : last_.outcomes) {
    if (outcome.case_key == case_key) {
      return outcome;
    }
  }
  throw std::runtime_error("no outcome of " + case_key + "\n" + printed_);
}

fs::path GateFolder::baseline_folder() const {
  for (const auto& entry : fs::directory_iterator(path_ / "baselines")) {
    if (entry.is_directory()) {
      return entry.path();
    }
  }
  throw std::runtime_error("no baseline\n" + printed_);
}

fs::path GateFolder::baseline_file() const { return baseline_folder() / "cases/replay.json"; }

Baseline GateFolder::baseline() const { return load_baseline(baseline_folder()).value(); }

void GateFolder::rename_recorded(const std::string& from, const std::string& to) const {
  FileCalls calls;
  update_baseline(
      baseline_folder(), baseline().device,
      [&](Baseline& baseline) {
        auto renamed = baseline.cases.extract(from);
        renamed.key() = to;
        baseline.cases.insert(std::move(renamed));
      },
      calls);
}

}  // namespace perfgate::selftest
