// How does the judge do on a machine of which it knows one to three sessions, or a pair of builds?
// Takes sessions of one build on one machine, where nothing changed: of each case, draws so many to
// be its baseline and another to be the night, and judges that. So an alarm is a false one. Then
// the same for two equal builds: draws pairs of processes that ran one right after the other.
// METRICS share the false-alarm budget, as they would in a suite of so many.
//   bench_few_sessions POLICY_FOLDER METRICS SOURCE [DRAWS]
// SOURCE: a folder of results, each of a run with --refresh; or a baseline.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "command_line.h"
#include "perfgate/baseline/record.h"
#include "perfgate/baseline/session_value.h"
#include "perfgate/baseline/store.h"
#include "perfgate/gate/choose_metric.h"
#include "perfgate/gate/decide.h"
#include "perfgate/gate/judgement.h"
#include "perfgate/gate/paired.h"
#include "perfgate/run/machine/baselines_folder.h"
#include "perfgate/stats/descriptive.h"
#include "read_run.h"

namespace {

namespace fs = std::filesystem;
using perfgate::Baseline;
using perfgate::CaseRecord;
using perfgate::Judgement;
using perfgate::Metric;
using perfgate::SessionMeasurements;
using perfgate::Verdict;

constexpr const char* kDevice = "device";

// One case on one machine.
struct Sessions {
  CaseRecord record;  // without revisions
  std::vector<SessionMeasurements> measured;
};

struct Source {
  perfgate::DeviceRecord device;
  std::map<std::string, Sessions> cases;
};

void add_results(const fs::path& file, const perfgate::Policy& policy, Source& out) {
  const auto run = perfgate::read_run(file);
  out.device = run.info.device;
  for (const auto& outcome : run.outcomes) {
    const bool whole = static_cast<int>(outcome.reports.size()) == policy.workers_a_session &&
                       std::all_of(outcome.reports.begin(), outcome.reports.end(),
                                   [](const perfgate::WorkerReport& report) {
                                     return report.status == perfgate::WorkerStatus::kMeasured;
                                   });
    if (!whole) {
      continue;
    }
    auto& sessions = out.cases[outcome.case_key];
    if (sessions.measured.empty()) {
      perfgate::CaseSession first;
      first.metrics = perfgate::measured_metrics(outcome.reports);
      first.phases = perfgate::measured_phases(outcome.reports);
      choose_judged_metrics(first, policy);
      sessions.record.phases = first.phases;
      for (const auto& [metric, measured] : first.metrics) {
        sessions.record.metrics[metric] = measured.description;
      }
    }
    sessions.measured.push_back(perfgate::measurements_of(outcome.reports));
  }
}

Source sessions_of(const fs::path& folder, const perfgate::Policy& policy) {
  Source out;
  if (const auto baseline = perfgate::load_baseline(folder)) {
    out.device = baseline->device;
    for (const auto& [key, record] : baseline->cases) {
      auto& sessions = out.cases[key];
      sessions.record = record;
      sessions.record.revisions.clear();
      for (const auto& id : record.revisions.back().reference) {
        sessions.measured.push_back(measurements_of(record.revisions.back(), id));
      }
    }
    return out;
  }
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".json") {
      add_results(entry.path(), policy, out);
    }
  }
  return out;
}

// A baseline of this case alone, by these of its sessions.
Baseline baseline_of(const Source& source, const std::string& key, const Sessions& sessions,
                     const std::vector<std::size_t>& chosen) {
  Baseline out;
  out.device = source.device;
  perfgate::Revision revision{"first", "2026-01-01", {}, {}};
  for (const std::size_t i : chosen) {
    const std::string id = "s" + std::to_string(i);
    out.sessions[id].device_id = kDevice;
    revision.reference.push_back(id);
    for (const auto& [metric, measurements] : sessions.measured[i]) {
      if (sessions.record.metrics.count(metric) > 0) {
        revision.measurements[metric][id] = measurements;
      }
    }
  }
  out.cases[key] = sessions.record;
  out.cases[key].revisions = {revision};
  return out;
}

struct Count {
  int judged = 0;
  int alarms = 0;
  std::vector<double> mde;

  void add(bool alarm, double detectable) {
    ++judged;
    alarms += alarm ? 1 : 0;
    mde.push_back(detectable);
  }
};

void print(const std::string& what, Count& count, int metrics) {
  if (count.judged == 0) {
    return;
  }
  std::sort(count.mde.begin(), count.mde.end());
  const auto quantile = [&](double q) {
    return 100 * count.mde[static_cast<std::size_t>(q * static_cast<double>(count.mde.size() - 1))];
  };
  fmt::print("| {} | {} | {} | {:.2f} % | {:.3g} % | {:.3g} % |\n", what, count.judged,
             count.alarms, 100.0 * metrics * count.alarms / count.judged, quantile(0.5),
             quantile(0.9));
}

// Nights of one session each, by `known` others.
Count judge_nights(const Source& source, const perfgate::Policy& policy, std::size_t known,
                   int metrics, int draws) {
  Count out;
  std::mt19937 random(1);
  for (const auto& [key, sessions] : source.cases) {
    std::vector<std::size_t> order(sessions.measured.size());
    std::iota(order.begin(), order.end(), 0);
    for (int draw = 0; order.size() > known && draw < draws; ++draw) {
      std::shuffle(order.begin(), order.end(), random);
      const std::vector<std::size_t> chosen(order.begin(),
                                            order.begin() + static_cast<std::ptrdiff_t>(known));
      const auto judge = perfgate::Judge(baseline_of(source, key, sessions, chosen), policy)
                             .with_alpha(policy.false_alarms_a_night / metrics);
      const auto& night = sessions.measured[order[known]];
      for (const auto& [metric, description] : sessions.record.metrics) {
        if (description.judged && night.count(metric) > 0) {
          const Judgement judgement = judgement_of(judge, key, metric, night, kDevice);
          out.add(judgement.verdict != Verdict::kPass, judgement.mde);
        }
      }
    }
  }
  return out;
}

// Of two equal builds, which process of a pair was whose is chance.
Count judge_pairs(const Source& source, const perfgate::Policy& policy, int metrics, int draws) {
  Count out;
  std::mt19937 random(1);
  const auto looks = perfgate::paired_looks(policy.paired.first_pairs, policy.paired.most_pairs);
  const std::string& kind = source.device.kind;
  const perfgate::PairedPriors priors({}, policy, kind);
  const perfgate::PairedRule rule{policy.false_alarms_a_night / metrics,
                                  policy.detection_probability, policy.paired.tolerance_of(kind)};
  for (const auto& [key, sessions] : source.cases) {
    for (const auto& [metric, description] : sessions.record.metrics) {
      std::vector<double> pairs;
      for (const auto& session : sessions.measured) {
        const auto found = session.find(metric);
        for (std::size_t i = 0; found != session.end() && i + 1 < found->second.size(); i += 2) {
          pairs.push_back(std::log(found->second[i + 1] / found->second[i]));
        }
      }
      if (!description.judged || pairs.size() < static_cast<std::size_t>(looks.back().pairs)) {
        continue;
      }
      for (int draw = 0; draw < draws; ++draw) {
        std::shuffle(pairs.begin(), pairs.end(), random);
        std::vector<double> drawn;
        perfgate::PairedJudgement judgement;
        for (std::size_t look = 0; look < looks.size() && !judgement.decided; ++look) {
          while (drawn.size() < static_cast<std::size_t>(looks[look].pairs)) {
            drawn.push_back(random() % 2 == 0 ? pairs[drawn.size()] : -pairs[drawn.size()]);
          }
          judgement = perfgate::judge_pairs(drawn, priors.of(description), rule, looks, look);
        }
        out.add(judgement.verdict != Verdict::kPass, judgement.mde);
      }
    }
  }
  return out;
}

int run(int argc, char** argv) {
  const auto [arguments, draws] = perfgate::counted_flags(argc, argv, 400);
  const int metrics =
      arguments.size() == 3 ? static_cast<int>(std::strtol(arguments[1].c_str(), nullptr, 10)) : 0;
  if (metrics < 1 || draws < 1) {
    fmt::print(stderr, "usage: bench_few_sessions POLICY_FOLDER METRICS SOURCE [DRAWS]\n");
    return 2;
  }
  const auto policy = perfgate::load_policy(arguments[0]);
  const Source source = sessions_of(arguments[2], policy);
  std::size_t sessions = 0;
  for (const auto& [key, one] : source.cases) {
    sessions = std::max(sessions, one.measured.size());
  }
  fmt::print(
      "{}: {} cases, at most {} sessions of one; budget {:.3g} % in either direction, shared by "
      "{} metrics; {} draws a case\n\n",
      source.device.model, source.cases.size(), sessions, 100 * policy.false_alarms_a_night,
      metrics, draws);
  fmt::print("| compared with | judged | alarms | a run of {} | MDE, median | MDE, 90 % |\n",
             metrics);
  fmt::print("|---|--:|--:|--:|--:|--:|\n");
  for (const std::size_t known : {1, 2, 3}) {
    Count count = judge_nights(source, policy, known, metrics, draws);
    print(fmt::format("{} session{}", known, known == 1 ? "" : "s"), count, metrics);
  }
  Count pairs = judge_pairs(source, policy, metrics, draws);
  print("another build, by pairs", pairs, metrics);
  return 0;
}

}  // namespace

int main(int argc, char** argv) { return perfgate::ended(run, argc, argv); }
