// What do the sessions of a baseline file say of each class's noise? Prints the numbers that
// baselines/policy.json assumes while a file cannot tell by itself.
//   bench_priors baselines/MODEL.json

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <vector>

#include "perfgate/baseline/store.h"
#include "perfgate/gate/history.h"
#include "perfgate/stats/moderation.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: bench_priors baselines/MODEL.json\n");
    return 2;
  }
  const auto baseline = perfgate::load_baseline(argv[1]);
  if (!baseline) {
    fmt::print(stderr, "no file {}\n", argv[1]);
    return 2;
  }
  std::map<std::string, std::vector<perfgate::SumOfSquares>> classes;
  for (const auto& [key, record] : baseline->cases) {
    for (const auto& [name, metric] : record.metrics) {
      if (metric.judged) {
        classes[metric.variance_class].push_back(
            perfgate::history_of(*baseline, record, name).between_sessions);
      }
    }
  }
  for (const auto& [name, entries] : classes) {
    perfgate::SumOfSquares pooled;
    for (const auto& entry : entries) {
      pooled += entry;
    }
    fmt::print("{:<20} {:>3} cases  pooled CV between sessions {:.3f} % ({:.0f} degrees)", name,
               entries.size(), 100 * std::sqrt(pooled.variance()), pooled.degrees);
    if (entries.size() >= 2 && pooled.degrees > 0) {
      const auto prior = perfgate::fit_variance_prior(entries, 1e6);
      fmt::print("  fitted prior CV {:.3f} %, {:.2f} degrees", 100 * std::sqrt(prior.variance),
                 prior.degrees);
    }
    fmt::print("\n");
  }
  return 0;
}
