// Does any damaged file crash a reader, hang it, or be taken for a good one? Damages what perfgate
// reads (a baseline, the policy, results, a worker's report, a request) N times, at random and
// reproducibly, and reads it. Every refusal has to name the file and the place in it; every
// baseline that is accepted has to judge, and it is counted whether a slowdown of 60 % would pass
// by it.
//   bench_mutants FOLDER_OF_BASELINES [N]      N: 10000 in all
// Build it with -DPERFGATE_SANITIZE=ON to have memory and undefined behaviour looked at as well.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "command_line.h"
#include "damage.h"
#include "perfgate/baseline/baseline_json.h"
#include "perfgate/baseline/store.h"
#include "perfgate/core/errors.h"
#include "perfgate/core/files.h"
#include "perfgate/gate/decide.h"
#include "perfgate/gate/judgement.h"
#include "perfgate/model/worker_report_json.h"
#include "perfgate/process/worker_interface.h"
#include "perfgate/report/exit_code.h"
#include "perfgate/report/results_json.h"

namespace {

using nlohmann::json;
using perfgate::Baseline;
using perfgate::JsonCursor;
using perfgate::Random;
using perfgate::Verdict;

constexpr double kSlowdown = 1.6;

// What is read, by whom, and what has to follow when it is accepted.
struct Target {
  std::string name;
  json good;
  std::function<void(const json& document, const std::string& name)> read;
};

struct Count {
  int refused = 0;
  int accepted = 0;
  int passed = 0;  // of baselines: a slowdown of 60 % passes
  int unnamed = 0;
  int crashed = 0;
};

bool names_the_place(const std::string& message, const std::string& file) {
  // What device.json does not describe any more is missed by another file.
  return message.find(std::filesystem::path(file).filename()) != std::string::npos &&
         (message.find("at \"") != std::string::npos || message.find("byte") != std::string::npos ||
          message.find("line") != std::string::npos || message.find("limit") != std::string::npos);
}

Count count_of(const Target& target, int mutants, Random& random) {
  Count out;
  const std::string& file = target.name;
  try {
    target.read(target.good, file);
  } catch (const std::exception& error) {
    ++out.crashed;
    fmt::print("  {} is refused undamaged, so that no mutant tells anything: {}\n", file,
               error.what());
  }
  for (int i = 0; i < mutants; ++i) {
    const std::string text = perfgate::damaged(target.good, random);
    try {
      target.read(perfgate::parse_strict(text, file), file);
      ++out.accepted;
    } catch (const perfgate::UsageError& error) {
      ++out.refused;
      if (!names_the_place(error.what(), file)) {
        ++out.unnamed;
        fmt::print("  UNNAMED {}: {}\n", target.name, error.what());
      }
    } catch (const std::exception& error) {
      ++out.crashed;
      fmt::print("  {} threw what nobody expects: {}\n", target.name, error.what());
    }
  }
  return out;
}

// Some cases of the baseline with the sessions that they name, so that a mutation hits what
// matters.
Baseline excerpt(const Baseline& whole, std::size_t cases) {
  Baseline out{whole.device, {}, {}};
  for (const auto& [key, record] : whole.cases) {
    if (out.cases.size() == cases || record.revisions.size() != 1) {
      continue;
    }
    out.cases[key] = record;
    const auto& revision = record.revisions.front();
    for (const auto& id : revision.reference) {
      out.sessions[id] = whole.sessions.at(id);
    }
    for (const auto& [device, later] : revision.later) {
      out.sessions[later.last] = whole.sessions.at(later.last);
    }
  }
  return out;
}

// A night 60 % slower than a reference session of the good baseline, on its device.
struct Night {
  std::vector<perfgate::WorkerReport> reports;
  std::string device;
};

Night slow_night(const Baseline& good, const std::string& key) {
  const auto& record = good.cases.at(key);
  // The one that has most: cycles, say, are younger than their case.
  const auto& references = record.revisions.back().reference;
  const auto& session = *std::max_element(
      references.begin(), references.end(), [&](const std::string& a, const std::string& b) {
        return measurements_of(record.revisions.back(), a).size() <
               measurements_of(record.revisions.back(), b).size();
      });
  Night out;
  out.device = good.sessions.at(session).device_id;
  for (const auto& [metric, of_session] : measurements_of(record.revisions.back(), session)) {
    out.reports.resize(std::max(out.reports.size(), of_session.size()));
    for (std::size_t i = 0; i < of_session.size(); ++i) {
      auto& report = out.reports[i];
      report.case_key = key;
      report.status = perfgate::WorkerStatus::kMeasured;
      report.phases[metric.phase].protocol = record.phase(metric.phase).protocol;
      const bool lower = better_of(metric) == perfgate::Better::kLower;
      const auto& recorded = record.metrics.at(metric);
      report.metrics[metric] = {of_session[i] * (lower ? kSlowdown : 1 / kSlowdown),
                                recorded.judged, recorded.variance_class};
    }
  }
  return out;
}

// Or counting what passes would count nothing.
void require_that_it_fails(const Baseline& good, const perfgate::Policy& policy) {
  const perfgate::Judge judge(good, policy);
  for (const auto& [key, record] : good.cases) {
    const auto night = slow_night(good, key);
    const auto outcome = decide(judge, night.reports, night.device);
    if (outcome.verdict != Verdict::kRegressed) {
      throw std::runtime_error(fmt::format("60 % slower does not fail {}: {} {}", key,
                                           name_of(outcome.verdict), outcome.message));
    }
  }
}

// Each file of a baseline, among its others as they are.
void add_files_of(const std::string& name, const Baseline& baseline, const perfgate::Policy& policy,
                  int& passed, std::vector<Target>& targets) {
  const auto files = to_files(baseline);
  for (const auto& [file, text] : files) {
    targets.push_back(
        {name + "/" + file, json::parse(text),
         [&policy, &passed, baseline, files, name, file = file](const json& document, const auto&) {
           auto damaged = files;
           damaged.at(file) = document.dump();
           Baseline read = perfgate::baseline_from_files(damaged, name);
           require_known_classes(read, policy, name + "/" + file);
           const perfgate::Judge judge(std::move(read), policy);
           for (const auto& [key, record] : baseline.cases) {
             const auto night = slow_night(baseline, key);
             const auto outcome = perfgate::decide(judge, night.reports, night.device);
             passed +=
                 outcome.verdict == Verdict::kPass || outcome.verdict == Verdict::kImproved ? 1 : 0;
           }
         }});
  }
}

std::vector<Target> targets_of(const std::filesystem::path& folder, const json& policy_document,
                               const perfgate::Policy& policy, int& passed) {
  std::vector<Target> out;
  perfgate::WorkerReport report;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const auto name = entry.path().filename().string();
    if (!std::filesystem::exists(entry.path() / "device.json")) {
      continue;
    }
    const Baseline baseline = excerpt(perfgate::load_baseline(entry.path()).value(), 3);
    require_that_it_fails(baseline, policy);
    add_files_of(name, baseline, policy, passed, out);
    report = slow_night(baseline, baseline.cases.begin()->first).reports.front();
  }
  out.push_back({"policy", policy_document, [](const json& document, const auto& file) {
                   (void)perfgate::policy_from_json(JsonCursor(document, file));
                 }});
  auto& phase = report.phases[perfgate::Phase::kWhole];
  phase.samples["time_us"] = {1, 2, 3};
  phase.trace =
      std::vector<perfgate::KernelRecord>{{"kernel", 1, 2.5, {1, 1, 1}, {32, 1, 1}, 32, 0, 0}};
  phase.outputs = {{true, perfgate::Accuracy{1, 0.5, {3, 17}, 2.5, 1.5, 0.001, 3, 64}}};
  report.costs_s["measure"] = 0.1;
  report.environment["libtorch"] = "2.13.0";
  out.push_back({"report", perfgate::to_json(report), [](const json& document, const auto& file) {
                   (void)perfgate::worker_report_from_json(JsonCursor(document, file));
                 }});
  perfgate::Run run;
  run.info.started = "2026-11-24T00:00:00Z";
  run.info.session.ceilings[{"dram_read", perfgate::Unit::kGbPerS}] = 4500;
  perfgate::Outcome outcome;
  outcome.case_key = report.case_key;
  outcome.reports = {report};
  outcome.judgements.resize(1);
  outcome.judgements[0].metric = perfgate::kTime;
  outcome.judgements[0].degrees = 6;
  outcome.judgements[0].now = 100;
  outcome.judgements[0].before = 100;
  run.outcomes = {outcome};
  run.exit_code = perfgate::exit_code_of(run, {});
  out.push_back({"results", perfgate::to_json(run), [](const json& document, const auto& file) {
                   (void)perfgate::run_from_json(JsonCursor(document, file));
                 }});
  out.push_back(
      {"the worker's request",
       json::parse(perfgate::to_text(
           {report.case_key, true, 3, {{{"fma", perfgate::Unit::kGflopPerS}, 190.0}}, {}})),
       [](const json& document, const auto& /*file*/) {
         (void)perfgate::worker_request_from_text(document.dump());
       }});
  return out;
}

int run(int argc, char** argv) {
  const auto [flags, mutants] = perfgate::counted_flags(argc, argv, 10000);
  if (flags.size() != 1) {
    fmt::print(stderr, "usage: bench_mutants FOLDER_OF_BASELINES [N]\n");
    return 2;
  }
  const auto policy_document = json::parse(perfgate::read_file(flags.front() + "/policy.json"));
  const auto policy = perfgate::policy_from_json(JsonCursor(policy_document, "policy.json"));
  int passed = 0;
  const auto targets = targets_of(flags.front(), policy_document, policy, passed);
  Random random(20261124);
  bool good = true;
  int accepted = 0;
  for (const auto& target : targets) {
    passed = 0;
    const auto count = count_of(target, mutants / static_cast<int>(targets.size()), random);
    fmt::print("{:<48} refused {:>5}  accepted {:>5}  +60 % passes {:>4}\n", target.name,
               count.refused, count.accepted, passed);
    good = good && count.crashed == 0 && count.unnamed == 0 && passed == 0;
    accepted += count.accepted;
  }
  return good && accepted > 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return perfgate::ended(run, argc, argv); }
