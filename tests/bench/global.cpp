// Would the test over all cases of a family and class have stood what is recorded already? Judges
// each recorded session of a device that has others, as a night, by the rest of the baseline.
// Prints of each group how many would have been alarms, what it sees, and how many slowdowns of all
// its cases it would have found, together and case by case. With PROCESSES, a night has so many of
// each case, as one does whose first process shows nothing. NIGHT: a file of the keys that share
// the false-alarm budget, one a line; without it all do.
//   bench_global baselines/MODEL [PROCESSES [NIGHT]]

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "command_line.h"
#include "perfgate/baseline/store.h"
#include "perfgate/gate/global_change.h"
#include "perfgate/gate/judgement.h"
#include "perfgate/model/case_key.h"
#include "perfgate/run/machine/baselines_folder.h"
#include "perfgate/stats/descriptive.h"
#include "taken_out.h"

namespace {

constexpr double kSlowdowns[] = {0.005, 0.01, 0.02};

struct Count {
  int nights = 0;
  int alarms = 0;
  std::vector<double> mde;
  std::map<double, int> found;        // by the slowdown of all its cases
  std::map<double, int> found_alone;  // of the cases, by their own judgement
  int cases = 0;
};

using Counts = std::map<std::string, Count>;

std::string name_of(const perfgate::GlobalChange& change) {
  return fmt::format("{} {} {}", change.family, change.variance_class, text_of(change.metric));
}

// The judge's word on every case of a session that all were slower in by as much.
std::vector<perfgate::NightChange> judged(const perfgate::Judge& judge,
                                          const std::map<std::string, perfgate::Night>& nights,
                                          double slower, std::map<std::string, int>& regressed) {
  std::vector<perfgate::NightChange> out;
  for (const auto& [key, night] : nights) {
    for (const auto& [metric, description] : judge.baseline().cases.at(key).metrics) {
      const auto found = night.measurements.find(metric);
      if (!description.judged || found == night.measurements.end()) {
        continue;
      }
      const auto judgement = judgement_of(
          judge, key, metric, perfgate::slower(night.measurements, slower), night.device_id);
      if (judgement.known_device) {
        out.push_back({key, metric, std::log1p(judgement.change),
                       static_cast<int>(found->second.size()), judgement.sessions});
        regressed[fmt::format("{} {} {}", perfgate::family_of(key), description.variance_class,
                              text_of(metric))] +=
            judgement.verdict == perfgate::Verdict::kRegressed ? 1 : 0;
      }
    }
  }
  return out;
}

void judge_session(const perfgate::Baseline& recorded, const perfgate::Policy& policy,
                   const std::set<std::string>& keys, const std::string& id, std::size_t processes,
                   Counts& counts) {
  perfgate::Baseline baseline = recorded;
  auto nights = perfgate::take_session_out(baseline, id);
  if (nights.empty()) {
    return;
  }
  for (auto& [key, night] : nights) {
    for (auto& [metric, values] : night.measurements) {
      values.resize(std::min(values.size(), processes));
    }
  }
  const auto& session = recorded.sessions.at(id);
  const auto judge = perfgate::Judge(std::move(baseline), policy, keys).of_device(session.ceilings);
  std::map<std::string, int> alone;
  const auto night = judged(judge, nights, 0, alone);
  for (const auto& change : global_changes(judge, night)) {
    auto& count = counts[name_of(change)];
    ++count.nights;
    count.cases += change.cases;
    count.mde.push_back(change.mde);
    if (change.verdict != perfgate::Verdict::kPass) {
      ++count.alarms;
      fmt::print("  {}  {} {}  {:+.3f} %, threshold {:.3f} %, p = {:.0e}, {} cases\n",
                 perfgate::name_of(change.verdict), id, name_of(change), 100 * change.change,
                 100 * change.threshold, change.p_value, change.cases);
    }
  }
  for (const double slower : kSlowdowns) {
    alone.clear();
    const auto slow = judged(judge, nights, slower, alone);
    for (const auto& change : global_changes(judge, slow)) {
      auto& count = counts[name_of(change)];
      count.found[slower] += change.verdict == perfgate::Verdict::kRegressed ? 1 : 0;
      count.found_alone[slower] += alone[name_of(change)];
    }
  }
}

int run(int argc, char** argv) {
  if (argc < 2 || argc > 4) {
    fmt::print(stderr, "usage: bench_global baselines/MODEL [PROCESSES [NIGHT]]\n");
    return 2;
  }
  const std::filesystem::path path = argv[1];
  const auto baseline = perfgate::load_baseline(path);
  if (!baseline) {
    fmt::print(stderr, "no baseline {}\n", path.string());
    return 2;
  }
  const auto policy = perfgate::load_policy(path.parent_path());
  const auto processes = argc > 2 ? std::stoul(argv[2]) : 5UL;
  const auto keys = argc > 3 ? perfgate::lines_of(argv[3]) : std::set<std::string>{};
  Counts counts;
  for (const auto& [id, session] : baseline->sessions) {
    judge_session(*baseline, policy, keys, id, processes, counts);
  }
  for (auto& [group, count] : counts) {
    fmt::print("{:<58} nights {:>3}  alarms {}  median MDE {:>6.2f} %", group, count.nights,
               count.alarms, 100 * perfgate::median(count.mde));
    for (const double slower : kSlowdowns) {
      fmt::print("  {:.1f} %: {} nights, {} of {} cases alone", 100 * slower, count.found[slower],
                 count.found_alone[slower], count.cases);
    }
    fmt::print("\n");
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) { return perfgate::ended(run, argc, argv); }
