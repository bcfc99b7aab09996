// How often the CUSUM over nights (gate/cusum.h) alarms where nothing changes, and how soon it
// finds what does. Draws series: a reference of SESSIONS sessions, the noise between them as a
// baseline would estimate it, and nights of the same noise. Prints alarms a hundred nights of 400
// series, and of steps and creeps the nights until they are found.
//   bench_creep simulate baselines BUDGET [SESSIONS [SERIES]]
// With a baseline, its own sessions are the nights. Each session of a device that has others is
// taken out and compared with what is left; these changes, over their standard errors and drawn at
// random, make a hundred nights of each series, which so have the tails that measurements have.
// Then each is slowed by three of their standard deviations.
// PROCESSES: so many of each session's. By the budget of the policy there, and larger ones.
//   bench_creep recorded baselines/MODEL [PROCESSES]

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "command_line.h"
#include "perfgate/baseline/store.h"
#include "perfgate/gate/case_night.h"
#include "perfgate/gate/cusum.h"
#include "perfgate/gate/judgement.h"
#include "perfgate/run/machine/baselines_folder.h"
#include "perfgate/stats/descriptive.h"
#include "taken_out.h"

namespace {

constexpr double kNoise = 0.0015;    // of a night, in logs: cuda/memory/long
constexpr double kPriorDegrees = 4;  // that a class adds to what its own sessions tell

// The policy's, but for its budget: `budget` alarms a night of 400 series.
perfgate::CusumRule rule(const perfgate::CreepPolicy& policy, double tolerance, double budget) {
  constexpr int kSeries = 400;
  return {policy.allowance,    policy.clip,
          policy.least_nights, static_cast<std::size_t>(policy.newest_nights),
          tolerance,           perfgate::cusum_limit(budget / kSeries, policy.allowance)};
}

// One series, as a baseline of few sessions knows it.
class Series {
 public:
  Series(int sessions, std::mt19937_64& random) : random_(&random) {
    double sum = 0;
    for (int i = 0; i < sessions; ++i) {
      sum += kNoise * normal_(*random_);
    }
    reference_ = sum / sessions;
    degrees_ = kPriorDegrees + sessions - 1;
    std::chi_squared_distribution<double> chi(degrees_);
    noise_ = kNoise * std::sqrt(chi(*random_) / degrees_);
    reference_noise_ = noise_ / std::sqrt(sessions);
  }
  perfgate::NightPoint night(double slower) {
    return {slower + kNoise * normal_(*random_) - reference_, noise_, reference_noise_, degrees_};
  }

 private:
  std::mt19937_64* random_;
  std::normal_distribution<double> normal_;
  double reference_ = 0;
  double degrees_ = 0;
  double noise_ = 0;
  double reference_noise_ = 0;
};

// One of nights that were recorded: their changes, in standard errors, are drawn at random.
class RecordedSeries {
 public:
  RecordedSeries(const std::vector<double>& residuals, std::mt19937_64& random)
      : residuals_(&residuals), random_(&random), which_(0, residuals.size() - 1) {
    for (int session = 0; session < kSessions; ++session) {
      reference_ += drawn() / kSessions;
    }
  }
  perfgate::NightPoint night(double slower) {
    return {slower + drawn() - reference_, kNoise, kNoise / std::sqrt(kSessions),
            kPriorDegrees + kSessions - 1};
  }

 private:
  static constexpr int kSessions = 3;
  double drawn() { return kNoise * (*residuals_)[which_(*random_)]; }

  const std::vector<double>* residuals_;
  std::mt19937_64* random_;
  std::uniform_int_distribution<std::size_t> which_;
  double reference_ = 0;
};

void print_alarms(const perfgate::CusumRule& rule, int sessions, int series,
                  std::mt19937_64& random) {
  constexpr int kNights = 365;
  int within_100 = 0;
  int alarms = 0;
  for (int i = 0; i < series; ++i) {
    Series one(sessions, random);
    perfgate::Cusum cusum(one.night(0), rule);
    for (int night = 1; night <= kNights; ++night) {
      cusum.add(one.night(0));
      if (cusum.creep()) {  // one that is lifted again has been an alarm
        ++alarms;
        within_100 += night <= 100 ? 1 : 0;
        break;
      }
    }
  }
  const double per_400 = 400.0 / series;
  fmt::print(
      "{} sessions: {} of {} series alarm in a year without any change, {} in the first 100 "
      "nights: "
      "{:.2f} and {:.2f} alarms in 100 nights of 400 series\n",
      sessions, alarms, series, within_100, alarms * per_400 * 100 / kNights, within_100 * per_400);
}

struct Delays {
  int within_5 = 0;
  std::vector<double> nights;
};

// `make`: a series. `slower`: by how much in the n-th night behind `before` of them.
template <class Make, class Slower>
Delays delays(const perfgate::CusumRule& rule, const Make& make, int series, int before,
              const Slower& slower) {
  constexpr int kMost = 365;
  Delays out;
  for (int i = 0; i < series; ++i) {
    auto one = make();
    perfgate::Cusum cusum(one.night(0), rule);
    for (int night = 0; night < before; ++night) {
      cusum.add(one.night(0));
    }
    int night = 0;
    do {
      cusum.add(one.night(slower(++night)));
    } while (night < kMost && !cusum.creep());
    out.nights.push_back(night);
    out.within_5 += night <= 5 ? 1 : 0;
  }
  std::sort(out.nights.begin(), out.nights.end());
  return out;
}

void print_delays(const std::string& what, const Delays& found) {
  const auto at = [&](double share) {
    return found
        .nights[static_cast<std::size_t>(share * static_cast<double>(found.nights.size() - 1))];
  };
  fmt::print(
      "  {:<22} mean {:>6.1f} nights, 95 % within {:>3.0f}, the last {:>3.0f}; within 5: {:.1f} "
      "%\n",
      what, perfgate::mean(found.nights), at(0.95), at(1),
      100.0 * found.within_5 / static_cast<double>(found.nights.size()));
}

int simulate(const perfgate::CreepPolicy& policy, double budget, int sessions, int series) {
  std::mt19937_64 random(20261127);
  const perfgate::CusumRule of_steps = rule(policy, 0, budget);
  const perfgate::CusumRule of_creeps = rule(policy, policy.tolerance_of("cuda"), budget);
  print_alarms(of_steps, sessions, series, random);
  const int drawn = series / 20;
  const auto make = [&] { return Series(sessions, random); };
  for (const int before : {0, 10, 30, 100}) {
    fmt::print("{} sessions, {} nights before the change:\n", sessions, before);
    for (const double sigmas : {1.0, 2.0, 3.0}) {
      const auto step = [sigmas](int) { return sigmas * kNoise; };
      print_delays(fmt::format("step of {:.0f} sigma", sigmas),
                   delays(of_steps, make, drawn, before, step));
    }
    for (const double a_night : {0.001, 0.0001}) {
      const auto creep = [a_night](int night) { return a_night * night; };
      print_delays(fmt::format("{} % a night", 100 * a_night),
                   delays(of_creeps, make, drawn, before, creep));
    }
  }
  return 0;
}

// The changes of a session that is taken out, each over its noise, as a history has them.
void add_residuals(const perfgate::Baseline& recorded, const perfgate::Policy& policy,
                   const std::string& id, std::size_t processes, std::vector<double>& out) {
  perfgate::Baseline baseline = recorded;
  auto taken = perfgate::take_session_out(baseline, id);
  if (taken.empty()) {
    return;
  }
  const auto judge =
      perfgate::Judge(std::move(baseline), policy).of_device(recorded.sessions.at(id).ceilings);
  std::vector<perfgate::Outcome> outcomes;
  for (auto& [key, night] : taken) {
    perfgate::Outcome outcome;
    outcome.case_key = key;
    outcome.device_id = night.device_id;
    outcome.verdict = perfgate::Verdict::kPass;
    for (auto& [metric, values] : night.measurements) {
      values.resize(std::min(values.size(), processes));
      outcome.reports.resize(values.size());
    }
    for (const auto& [metric, description] : judge.baseline().cases.at(key).metrics) {
      if (description.judged && night.measurements.count(metric) > 0) {
        outcome.judgements.push_back(
            judgement_of(judge, key, metric, night.measurements, night.device_id));
      }
    }
    outcomes.push_back(std::move(outcome));
  }
  for (const auto& night : case_nights(judge, recorded.sessions.at(id), outcomes)) {
    for (const auto& [metric, series] : night.metrics) {
      if (const auto& noise = series.noise) {
        out.push_back(series.change.log / std::hypot(noise->night, noise->reference));
      }
    }
  }
}

int recorded(const std::filesystem::path& path, std::size_t processes) {
  const auto baseline = perfgate::load_baseline(path);
  if (!baseline) {
    fmt::print(stderr, "no baseline {}\n", path.string());
    return 2;
  }
  const auto policy = perfgate::load_policy(path.parent_path());
  std::vector<double> residuals;
  for (const auto& [id, session] : baseline->sessions) {
    add_residuals(*baseline, policy, id, processes, residuals);
  }
  if (residuals.size() < 2) {
    fmt::print(stderr, "too few sessions of a device that has others\n");
    return 2;
  }
  fmt::print("{} processes a night: ", processes);
  std::sort(residuals.begin(), residuals.end());
  const auto beyond = [&](double errors) {
    return 100.0 *
           static_cast<double>(residuals.end() -
                               std::upper_bound(residuals.begin(), residuals.end(), errors)) /
           static_cast<double>(residuals.size());
  };
  fmt::print(
      "{} sessions of a metric against others of its device, in standard errors: median {:+.2f}, "
      "SD {:.2f}, beyond +2: {:.2f} %, beyond +3: {:.2f} %, beyond +4: {:.2f} %\n",
      residuals.size(), perfgate::median(residuals),
      std::sqrt(perfgate::deviations(residuals).variance()), beyond(2), beyond(3), beyond(4));
  constexpr int kSeries = 40'000;
  constexpr int kNights = 100;
  const double deviation = kNoise * std::sqrt(perfgate::deviations(residuals).variance());
  std::mt19937_64 random(20261127);
  const auto make = [&] { return RecordedSeries(residuals, random); };
  const double budget = policy.creep.false_alarms_a_night;
  for (const double by : {budget, 10 * budget, 100 * budget}) {
    int alarms = 0;
    for (int i = 0; i < kSeries; ++i) {
      auto one = make();
      perfgate::Cusum cusum(one.night(0), rule(policy.creep, 0, by));
      for (int n = 0; n < kNights && !cusum.creep(); ++n) {
        cusum.add(one.night(0));
      }
      alarms += cusum.creep() ? 1 : 0;
    }
    fmt::print(
        "drawn from them, by a budget of {} a night: {} of {} series alarm in {} nights: "
        "{:.2f} alarms in 100 nights of 400 series\n",
        by, alarms, kSeries, kNights, 400.0 * alarms / kSeries);
    for (const int before : {30, 100}) {
      const auto step = [deviation](int) { return 3 * deviation; };
      print_delays(fmt::format("3 SD behind {} nights", before),
                   delays(rule(policy.creep, 0, by), make, kSeries / 20, before, step));
    }
  }
  return 0;
}

int run(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  if (what == "simulate" && argc > 3) {
    return simulate(perfgate::load_policy(argv[2]).creep, std::stod(argv[3]),
                    argc > 4 ? std::stoi(argv[4]) : 3, argc > 5 ? std::stoi(argv[5]) : 20000);
  }
  if (what == "recorded" && argc > 2) {
    return recorded(argv[2], argc > 3 ? std::stoul(argv[3]) : 5UL);
  }
  fmt::print(
      stderr,
      "usage: bench_creep simulate baselines BUDGET [SESSIONS [SERIES]] | recorded baselines/MODEL "
      "[PROCESSES]\n");
  return 2;
}

}  // namespace

int main(int argc, char** argv) { return perfgate::ended(run, argc, argv); }
