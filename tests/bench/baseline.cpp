// What do the sessions of a baseline file say? Prints each class's noise, between workers and
// between sessions (the numbers that baselines/policy.json assumes while a file cannot tell), and
// how small a slowdown the file lets every case see on a unit it knows.
//   bench_baseline baselines/MODEL.json [SESSIONS]     SESSIONS: as if only the first were recorded

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "perfgate/baseline/store.h"
#include "perfgate/core/files.h"
#include "perfgate/core/json.h"
#include "perfgate/gate/judge.h"
#include "perfgate/stats/moderation.h"

namespace {

using perfgate::Baseline;
using perfgate::SumOfSquares;

// Forgets every session of a case but its first `keep`.
void forget_later_sessions(Baseline& baseline, std::size_t keep) {
  for (auto& [key, record] : baseline.cases) {
    auto& epoch = record.epochs.back();
    for (auto& [metric, sessions] : epoch.figures) {
      while (sessions.size() > keep) {
        std::erase(epoch.anchor, std::prev(sessions.end())->first);
        sessions.erase(std::prev(sessions.end()));
      }
    }
  }
}

struct ClassNoise {
  std::vector<SumOfSquares> sessions;
  SumOfSquares workers;
  std::vector<double> worker_cv_percent;  // one a case
};

double cv_percent(const SumOfSquares& squares) { return 100 * std::sqrt(squares.variance()); }

void print_noise(const Baseline& baseline) {
  std::map<std::string, ClassNoise> classes;
  for (const auto& [key, record] : baseline.cases) {
    for (const auto& [name, metric] : record.metrics) {
      if (metric.judged) {
        const auto history = history_of(baseline, record, name);
        auto& noise = classes[metric.variance_class];
        noise.sessions.push_back(history.between_sessions);
        noise.workers += history.between_workers;
        noise.worker_cv_percent.push_back(cv_percent(history.between_workers));
      }
    }
  }
  for (const auto& [name, noise] : classes) {
    SumOfSquares pooled;
    for (const auto& entry : noise.sessions) {
      pooled += entry;
    }
    const auto& cv = noise.worker_cv_percent;
    const double limit = name.find("/compute/") != std::string::npos ? 0.5 : 2.5;
    fmt::print("{:<18} {:>3} cases  CV between workers {:.2f} %, worst {:.2f} %, {} within {} %\n",
               name, cv.size(), cv_percent(noise.workers), *std::max_element(cv.begin(), cv.end()),
               std::count_if(cv.begin(), cv.end(), [=](double c) { return c <= limit; }), limit);
    fmt::print("{:<28} CV between sessions {:.2f} %", "", cv_percent(pooled));
    if (noise.sessions.size() >= 2 && pooled.degrees > 0) {
      const auto prior = perfgate::fit_variance_prior(noise.sessions, 1e6);
      fmt::print("  fitted prior {:.2f} %, {:.3g} degrees", 100 * std::sqrt(prior.variance),
                 prior.degrees);
    }
    fmt::print("\n");
  }
}

void print_sensitivity(const Baseline& baseline, const perfgate::Policy& policy) {
  const perfgate::ClassPriors priors(baseline, policy);
  std::vector<double> mde;
  for (const auto& [key, record] : baseline.cases) {
    for (const auto& [name, metric] : record.metrics) {
      if (metric.judged) {
        const auto& [id, figures] = *record.epochs.back().figures.at(name).rbegin();
        mde.push_back(
            judge({baseline, policy, priors}, record, name, figures, baseline.sessions.at(id).unit)
                .mde);
      }
    }
  }
  for (const double limit : {0.05, 0.10, 0.15, 0.20}) {
    const auto within = std::count_if(mde.begin(), mde.end(), [=](double m) { return m <= limit; });
    fmt::print("MDE <= {:>2.0f} %: {} of {} judged figures\n", 100 * limit, within, mde.size());
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2 || argc > 3) {
    fmt::print(stderr, "usage: bench_baseline baselines/MODEL.json [SESSIONS]\n");
    return 2;
  }
  const std::filesystem::path path = argv[1];
  auto baseline = perfgate::load_baseline(path);
  if (!baseline) {
    fmt::print(stderr, "no file {}\n", path.string());
    return 2;
  }
  if (argc == 3) {
    forget_later_sessions(*baseline, std::strtoul(argv[2], nullptr, 10));
  }
  const auto policy_path = path.parent_path() / "policy.json";
  const auto document =
      perfgate::parse_strict(perfgate::read_file(policy_path), policy_path.string());
  print_noise(*baseline);
  print_sensitivity(*baseline,
                    policy_from_json(perfgate::JsonCursor(document, policy_path.string())));
  return 0;
}
