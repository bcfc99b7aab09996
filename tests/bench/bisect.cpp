// Does perfgate --bisect find the first slow build, by how many builds, and is it as sure as it
// says? Simulates the values of fresh processes of a list of builds, and bisects them by the
// policy.
//   bench_bisect [RUNS [BUILDS [SLOWER_PERCENT]]]      400 runs, 64 builds, 3 %
// The noise is of a process, in logs; the prior is the policy's, of a class that is noisier or
// quieter than what is simulated. Every seed is fixed.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "command_line.h"
#include "perfgate/gate/bisection.h"
#include "perfgate/gate/paired.h"
#include "perfgate/gate/paired_rule.h"
#include "perfgate/run/machine/baselines_folder.h"

namespace {

using perfgate::Bisection;
using perfgate::BisectionStep;
using Random = std::mt19937_64;

struct Setting {
  const char* name;
  double sd;                             // of a process
  std::function<double(Random&)> noise;  // in units of sd
  double layout_sd;                      // of a build
  std::vector<double> shares;            // of the slowdown, a change each
  int place = 0;                         // of the first change, from the end if negative; 0: random
};

double normal(Random& random) { return std::normal_distribution<double>()(random); }
// Student's t of 3 degrees, scaled to a variance of 1.
double heavy(Random& random) {
  return std::student_t_distribution<double>(3)(random) / std::sqrt(3.0);
}
// One process in twenty is slow, by six standard deviations of the others.
double outliers(Random& random) {
  return normal(random) + (std::uniform_real_distribution<double>()(random) < 0.05 ? 6 : 0);
}

struct Run {
  std::vector<std::size_t> changes;  // builds that change; none where none does
  std::size_t first_slow = 0;
  BisectionStep::Kind end = BisectionStep::Kind::kNone;
  std::size_t answer = 0;
  double confidence = 0;
  bool says_another = false;
  std::size_t builds = 2;
  std::size_t pairs = 0;
  // Before each step: the mass of the likeliest place, and whether the first slow build is there.
  std::vector<std::pair<double, bool>> beliefs;
};

class Simulated {
 public:
  Simulated(const Setting& setting, std::size_t builds, double slower, unsigned seed)
      : setting_(setting), random_(seed), levels_(builds, 0.0) {
    std::vector<std::size_t> places(builds - 1);
    for (std::size_t i = 0; i < places.size(); ++i) {
      places[i] = i + 1;
    }
    std::shuffle(places.begin(), places.end(), random_);
    changes_.assign(places.begin(),
                    places.begin() + static_cast<std::ptrdiff_t>(setting.shares.size()));
    std::sort(changes_.begin(), changes_.end());
    if (setting.place != 0) {
      changes_.front() = setting.place > 0 ? static_cast<std::size_t>(setting.place)
                                           : builds - static_cast<std::size_t>(-setting.place);
    }
    for (std::size_t change = 0; change < changes_.size(); ++change) {
      if (setting.shares[change] > 0 && first_slow_ == 0) {
        first_slow_ = changes_[change];
      }
    }
    for (std::size_t i = 0; i < builds; ++i) {
      for (std::size_t change = 0; change < changes_.size(); ++change) {
        levels_[i] += i >= changes_[change] ? setting.shares[change] * std::log1p(slower) : 0;
      }
      levels_[i] += setting.layout_sd * normal(random_);
    }
  }

  std::vector<double> pairs(std::size_t before, std::size_t now, int count) {
    std::vector<double> out;
    for (int i = 0; i < count; ++i) {
      out.push_back(levels_[now] - levels_[before] +
                    setting_.sd * (setting_.noise(random_) - setting_.noise(random_)));
    }
    return out;
  }
  [[nodiscard]] const std::vector<std::size_t>& changes() const { return changes_; }
  [[nodiscard]] std::size_t first_slow() const { return first_slow_; }  // 0: none

 private:
  const Setting& setting_;
  Random random_;
  std::vector<double> levels_;
  std::vector<std::size_t> changes_;
  std::size_t first_slow_ = 0;
};

Run bisect(Simulated builds, std::size_t count, const perfgate::Policy& policy,
           const perfgate::VariancePrior& noise) {
  const auto& rule = policy.paired.bisect;
  const double tolerance = policy.paired.tolerance_of("cpu");
  Run out;
  out.changes = builds.changes();
  out.first_slow = builds.first_slow();
  const auto looks = perfgate::paired_looks(policy.paired.first_pairs, rule.first_most_pairs);
  std::vector<double> ends;
  perfgate::PairedJudgement judgement;
  for (std::size_t look = 0; look < looks.size() && !judgement.decided; ++look) {
    const auto more = builds.pairs(0, count - 1, looks[look].pairs - static_cast<int>(ends.size()));
    ends.insert(ends.end(), more.begin(), more.end());
    judgement = perfgate::judge_pairs(
        ends, noise, {policy.false_alarms_a_night, policy.detection_probability, tolerance}, looks,
        look);
  }
  out.pairs = ends.size();
  if (judgement.verdict != perfgate::Verdict::kRegressed) {
    return out;
  }
  Bisection bisection(count, perfgate::bisection_rule(policy, tolerance, noise));
  bisection.add(0, count - 1, ends);
  BisectionStep step = bisection.next();
  for (; step.kind == BisectionStep::Kind::kMeasure; step = bisection.next()) {
    const auto now = bisection.posterior();
    const auto gap = now.gaps[now.best()];
    out.beliefs.emplace_back(now.mass[now.best()],
                             out.first_slow > gap.after && out.first_slow <= gap.last);
    bisection.add(step.before, step.now,
                  builds.pairs(step.before, step.now, perfgate::kPairsOfAStep));
  }
  const auto posterior = bisection.posterior();
  out.end = step.kind;
  out.answer = posterior.gaps[posterior.best()].last;
  out.confidence = posterior.mass[posterior.best()];
  out.says_another = posterior.another[posterior.best()] > 0.5;
  out.builds = bisection.made().size();
  out.pairs = bisection.pairs();
  return out;
}

double percentile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

void print(const Setting& setting, const std::vector<Run>& runs) {
  using Kind = BisectionStep::Kind;
  std::vector<double> builds;
  std::vector<double> pairs;
  int found = 0;
  int none = 0;
  int right = 0;
  int any = 0;
  int another = 0;
  double confidence = 0;
  for (const auto& run : runs) {
    builds.push_back(static_cast<double>(run.builds));
    pairs.push_back(static_cast<double>(run.pairs));
    none += run.end == Kind::kNone ? 1 : 0;
    if (run.end == Kind::kFound) {
      ++found;
      confidence += run.confidence;
      another += run.says_another ? 1 : 0;
      right += run.answer == run.first_slow ? 1 : 0;
      any += std::count(run.changes.begin(), run.changes.end(), run.answer) > 0 ? 1 : 0;
    }
  }
  const auto mean = [](const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values) {
      sum += value;
    }
    return sum / static_cast<double>(values.size());
  };
  const auto share = [&](int part, std::size_t whole) {
    return whole == 0 ? std::string("-")
                      : fmt::format("{:.1f} %", 100.0 * part / static_cast<double>(whole));
  };
  const auto answers = static_cast<std::size_t>(found);
  fmt::print(
      "| {:<38} | {:.2f} / {:.0f} / {:.0f} | {:.0f} / {:.0f} | {} | {} | {} | {} | {} | {} |\n",
      setting.name, mean(builds), percentile(builds, 0.95), percentile(builds, 1), mean(pairs),
      percentile(pairs, 0.95), share(right, runs.size()), share(none, runs.size()),
      share(static_cast<int>(runs.size()) - found - none, runs.size()),
      found > 0 ? fmt::format("{:.1f} %", 100 * confidence / found) : "-",
      share(right, answers) + (any > right ? " (" + share(any, answers) + ")" : ""),
      share(another, answers));
}

// Of all steps of these runs, how often a place of so much mass was right.
void print_calibration(const std::vector<Run>& runs) {
  const std::vector<double> edges = {0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99};
  fmt::print("\n| posterior of the likeliest place | steps | mean | right |\n|---|---|---|---|\n");
  for (std::size_t bin = 0; bin + 1 < edges.size(); ++bin) {
    double mass = 0;
    int right = 0;
    int steps = 0;
    for (const auto& run : runs) {
      for (const auto& [belief, is_right] : run.beliefs) {
        if (belief >= edges[bin] && belief < edges[bin + 1]) {
          mass += belief;
          right += is_right ? 1 : 0;
          ++steps;
        }
      }
    }
    if (steps > 0) {
      fmt::print("| {:.2f} to {:.2f} | {} | {:.1f} % | {:.1f} % |\n", edges[bin], edges[bin + 1],
                 steps, 100 * mass / steps, 100.0 * right / steps);
    }
  }
}

int run(int argc, char** argv) {
  const auto number = [&](int index, double otherwise) {
    return argc > index ? std::strtod(argv[index], nullptr) : otherwise;
  };
  const double asked_runs = number(1, 400);
  const double asked_builds = number(2, 64);
  const double slower = number(3, 3) / 100;
  if (argc > 4 || !(asked_runs >= 1 && asked_builds >= 2 && slower >= 0)) {
    fmt::print(stderr, "usage: bench_bisect [RUNS [BUILDS [SLOWER_PERCENT]]]\n");
    return 2;
  }
  const auto runs = static_cast<unsigned>(asked_runs);
  const auto builds = static_cast<std::size_t>(asked_builds);
  const auto policy =
      perfgate::load_policy(std::filesystem::path(PERFGATE_SOURCE_DIR) / "baselines");
  perfgate::MetricRecord metric;
  metric.variance_class = "cpu/memory/long";
  const auto noise = perfgate::PairedPriors({}, policy, "cpu").of(metric);
  const std::vector<Setting> settings = {
      {"one, 0.3 %", 0.003, normal, 0, {1}},
      {"one, 1 %", 0.01, normal, 0, {1}},
      {"one, 2 %", 0.02, normal, 0, {1}},
      {"the second build, 1 %", 0.01, normal, 0, {1}, 1},
      {"the newest build, 1 %", 0.01, normal, 0, {1}, -1},
      {"one, 1 %, Student's t of 3 degrees", 0.01, heavy, 0, {1}},
      {"one, 2 %, Student's t of 3 degrees", 0.02, heavy, 0, {1}},
      {"one, 0.5 %, each 20th process +3 %", 0.005, outliers, 0, {1}},
      {"one, 1 %, each build +- 0.5 %", 0.01, normal, 0.005, {1}},
      {"none, 0.3 %", 0.003, normal, 0, {}},
      {"none, 2 %", 0.02, normal, 0, {}},
      {"none, 1 %, Student's t of 3 degrees", 0.01, heavy, 0, {}},
      {"two of a half, 0.3 %", 0.003, normal, 0, {0.5, 0.5}},
      {"two of a whole, 1 %", 0.01, normal, 0, {1, 1}},
      {"three of a whole, 1 %", 0.01, normal, 0, {1, 1, 1}},
      {"a half better, then two slower, 1 %", 0.01, normal, 0, {-0.5, 2}},
  };
  fmt::print("{} runs each of {} builds, {:.3g} % slower\n\n", runs, builds, 100 * slower);
  fmt::print(
      "| slow builds, noise of a process | builds made: mean / 95th percentile / most | pairs: "
      "mean / 95th percentile | right | none | undecided | mean confidence of answers | right "
      "of answers (any that changes) | says of another change "
      "|\n|---|---|---|---|---|---|---|---|---|\n");
  std::vector<Run> of_one;  // without what the model leaves out
  for (const auto& setting : settings) {
    std::vector<Run> out;
    for (unsigned i = 0; i < runs; ++i) {
      out.push_back(bisect(Simulated(setting, builds, slower, i), builds, policy, noise));
    }
    print(setting, out);
    std::fflush(stdout);
    if (setting.shares.size() == 1 && setting.layout_sd == 0) {
      of_one.insert(of_one.end(), out.begin(), out.end());
    }
  }
  print_calibration(of_one);
  return 0;
}

}  // namespace

int main(int argc, char** argv) { return perfgate::ended(run, argc, argv); }
