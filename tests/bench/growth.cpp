// How large does a baseline become, and how much of it does a night change? Records a session of
// every case each night, on one device after the other, as `--refresh` does, and prints the bytes
// of the folder and what the last night's diff has, in lines, for a case that did not change. Then
// writes it once and reads it once, and prints how long that takes.
//   bench_growth [CASES [DEVICES [NIGHTS]]]      3000 cases, 2 devices, 365 nights
// Measurements are drawn, of a GPU's case: net time and SM cycles of five processes, three kernels.

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "command_line.h"
#include "perfgate/baseline/baseline_json.h"
#include "perfgate/baseline/record.h"
#include "perfgate/baseline/store.h"

namespace {

namespace fs = std::filesystem;
using perfgate::Baseline;
using perfgate::BaselineFiles;

std::vector<perfgate::CaseSession> night_of(int cases, std::mt19937_64& random) {
  std::normal_distribution<double> noise(0, 0.005);
  std::vector<perfgate::CaseSession> out;
  for (int i = 0; i < cases; ++i) {
    perfgate::CaseSession item;
    item.case_key = fmt::format("family{}/workload/bf16/D{}/eager", i % 6, i);
    const double typical_us = 5 + 0.37 * i;
    for (int process = 0; process < 5; ++process) {
      // As the samplers' measurements are rounded: six digits.
      const double us = std::stod(fmt::format("{:.6g}", typical_us * std::exp(noise(random))));
      item.metrics[perfgate::kNetTime].measurements.push_back(us);
      item.metrics[perfgate::kCycles].measurements.push_back(
          std::stod(fmt::format("{:.6g}", us * 1700)));
    }
    item.metrics[perfgate::kNetTime].description = {true, {}, "cuda/compute/long"};
    item.metrics[perfgate::kCycles].description = {true, {}, "cuda/cycles"};
    item.reason = "first";
    auto& phase = item.phases[perfgate::Phase::kWhole];
    phase.protocol = {{"samples", std::int64_t{166}},
                      {"pause", std::string("2 bodies")},
                      {"flush", std::string("read")},
                      {"statistic", std::string("10 % trimmed mean")},
                      {perfgate::kQueuedWhole, true}};
    for (const char* name : {"a_kernel_of_a_library_with_a_long_name", "another", "a_third_one"}) {
      phase.kernels.push_back({name, 1, typical_us, {128, 1, 1}, {256, 1, 1}, 128, 49152, 0});
    }
    out.push_back(std::move(item));
  }
  return out;
}

std::size_t bytes_of(const BaselineFiles& files) {
  std::size_t out = 0;
  for (const auto& [name, text] : files) {
    out += text.size();
  }
  return out;
}

// Lines of `after` that `before` has not, file by file, device.json aside.
int new_lines(const BaselineFiles& before, const BaselineFiles& after) {
  int out = 0;
  for (const auto& [name, text] : after) {
    if (name == "device.json") {
      continue;
    }
    std::multiset<std::string> old;
    std::istringstream old_lines(before.at(name));
    for (std::string line; std::getline(old_lines, line);) {
      old.insert(line);
    }
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      if (const auto found = old.find(line); found != old.end()) {
        old.erase(found);
      } else {
        ++out;
      }
    }
  }
  return out;
}

double seconds_of(const std::function<void()>& work) {
  const auto began = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

int run(int argc, char** argv) {
  const auto number = [&](int index, int otherwise) {
    return argc > index ? static_cast<int>(std::strtol(argv[index], nullptr, 10)) : otherwise;
  };
  const int cases = number(1, 3000);
  const int devices = number(2, 2);
  const int nights = number(3, 365);
  if (argc > 4 || cases < 1 || devices < 1 || nights < 2) {
    fmt::print(stderr, "usage: bench_growth [CASES [DEVICES [NIGHTS]]]\n");
    return 2;
  }
  const perfgate::RecordRules rules = {
      3, {0.33, 0.40, 0.002, {0.002 * 0.002, 4}, "as baselines/policy.json"}};
  std::mt19937_64 random(20261125);
  Baseline baseline;
  baseline.device = {"cuda", "Test GPU", {}};
  BaselineFiles before;
  for (int night = 0; night < nights; ++night) {
    if (night + 1 == nights) {
      before = to_files(baseline);
    }
    perfgate::SessionRecord session;
    session.date = fmt::format("{}-{:02}-{:02}T02:00:00Z", 2026 + night / 336, 1 + night / 28 % 12,
                               1 + night % 28);
    session.device_id = fmt::format("GPU-{:08}", night % devices);
    session.host = "host";
    session.commit = "0123456789ab";
    session.libtorch = "2.13.0";
    session.compiler = "GCC 13";
    auto tonight = night_of(cases, random);
    for (auto& item : tonight) {
      if (const auto record = baseline.cases.find(item.case_key); record != baseline.cases.end()) {
        item.judged_against = record->second.revisions.back().reference.front();
      }
    }
    record_session(baseline, session, tonight, rules);
  }
  const BaselineFiles files = to_files(baseline);
  fmt::print("{} cases, {} devices, {} nights: {:.2f} MB in {} files\n", cases, devices, nights,
             static_cast<double>(bytes_of(files)) / 1e6, files.size());
  fmt::print("the last night changed {} lines, {:.2f} a case, device.json aside\n",
             new_lines(before, files), static_cast<double>(new_lines(before, files)) / cases);
  std::string pattern = (fs::temp_directory_path() / "growthXXXXXX").string();
  const fs::path folder = fs::path(mkdtemp(pattern.data())) / "Test_GPU";
  perfgate::FileCalls calls;
  const double write_s = seconds_of([&] {
    update_baseline(
        folder, baseline.device, [&](Baseline& file) { file = baseline; }, calls);
  });
  const double read_s = seconds_of([&] { (void)perfgate::load_baseline(folder); });
  fmt::print("a refresh writes it in {:.2f} s, a night reads it in {:.2f} s\n", write_s, read_s);
  fs::remove_all(folder.parent_path());
  return 0;
}

}  // namespace

int main(int argc, char** argv) { return perfgate::ended(run, argc, argv); }
