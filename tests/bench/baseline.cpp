// What do the sessions of a baseline say? Prints each class's noise, between workers, sessions
// and devices (the numbers that baselines/policy.json assumes while a file cannot tell), how small
// a slowdown it lets the cases of a family and class see, on the device that it knows best, if any,
// and on one that it does not know, and how far each case's devices lie apart.
//   bench_baseline baselines/MODEL [SESSIONS]     SESSIONS: as if only the first were recorded

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "command_line.h"
#include "perfgate/baseline/store.h"
#include "perfgate/gate/judgement.h"
#include "perfgate/model/case_key.h"
#include "perfgate/run/machine/baselines_folder.h"
#include "perfgate/stats/moderation.h"

namespace {

using perfgate::Baseline;
using perfgate::SumOfSquares;

// Forgets every session of a case but its first `keep`.
void forget_later_sessions(Baseline& baseline, std::size_t keep) {
  for (auto& [key, record] : baseline.cases) {
    auto& revision = record.revisions.back();
    for (auto& [metric, sessions] : revision.measurements) {
      while (sessions.size() > keep) {
        std::erase(revision.reference, std::prev(sessions.end())->first);
        sessions.erase(std::prev(sessions.end()));
      }
    }
  }
}

struct ClassNoise {
  std::vector<SumOfSquares> sessions;
  std::vector<SumOfSquares> devices;
  SumOfSquares workers;
  std::vector<double> worker_cv_percent;  // one a case
};

std::vector<double> device_values(const perfgate::MetricHistory& history) {
  std::vector<double> out;
  for (const auto& [device, reference] : history.devices) {
    out.push_back(reference.value);
  }
  return out;
}

double cv_percent(const SumOfSquares& squares) { return 100 * std::sqrt(squares.variance()); }

void print_fit(const char* between, const std::vector<SumOfSquares>& variances) {
  SumOfSquares pooled;
  for (const auto& entry : variances) {
    pooled += entry;
  }
  if (pooled.degrees == 0) {
    return;
  }
  fmt::print("{:<28} CV between {} {:.2f} %", "", between, cv_percent(pooled));
  if (variances.size() >= 2) {
    const auto prior = perfgate::fit_variance_prior(variances, 1e6).prior;
    fmt::print("  fitted prior {:.2f} %, {:.3g} degrees", 100 * std::sqrt(prior.variance),
               prior.degrees);
  }
  fmt::print("\n");
}

void print_noise(const Baseline& baseline, const perfgate::Policy& policy) {
  std::map<std::string, ClassNoise> classes;
  for (const auto& [key, record] : baseline.cases) {
    for (const auto& [name, metric] : record.metrics) {
      if (metric.judged) {
        const auto history = history_of(baseline, record, name, policy.clock);
        const bool best = metric.statistic == perfgate::Statistic::kBest;
        auto& noise = classes[metric.variance_class + (best ? ", best" : "")];
        noise.sessions.push_back(history.between_sessions);
        noise.devices.push_back(history.between_devices);
        SumOfSquares workers;
        for (const auto& [id, measurements] : record.revisions.back().measurements.at(name)) {
          workers += perfgate::log_deviations(judged_measurements(
              measurements_of(record.revisions.back(), id), name, history.clock));
        }
        noise.workers += workers;
        noise.worker_cv_percent.push_back(cv_percent(workers));
      }
    }
  }
  for (const auto& [name, noise] : classes) {
    const auto& cv = noise.worker_cv_percent;
    const bool computes = name.find("/compute/") != std::string::npos || name == "cuda/cycles";
    const double limit = computes ? 0.5 : 2.5;
    fmt::print("{:<18} {:>3} cases  CV between workers {:.2f} %, worst {:.2f} %, {} within {} %\n",
               name, cv.size(), cv_percent(noise.workers), *std::max_element(cv.begin(), cv.end()),
               std::count_if(cv.begin(), cv.end(), [=](double c) { return c <= limit; }), limit);
    print_fit("sessions", noise.sessions);
    print_fit("devices", noise.devices);
  }
}

// MDEs as shares within the limits.
void print_shares(const std::string& title, const std::vector<double>& mde) {
  fmt::print("{:<36}", title);
  for (const double limit : {0.03, 0.05, 0.08, 0.10, 0.15, 0.20}) {
    const auto within = std::count_if(mde.begin(), mde.end(), [=](double m) { return m <= limit; });
    fmt::print("  {:>2.0f} %: {:>3}", 100 * limit, within);
  }
  fmt::print("  of {}\n", mde.size());
}

// The device with most sessions of a metric.
std::string best_known_device(const perfgate::MetricHistory& history) {
  return std::max_element(history.devices.begin(), history.devices.end(),
                          [](const auto& a, const auto& b) {
                            return a.second.all_sessions < b.second.all_sessions;
                          })
      ->first;
}

// The least MDE of a case: that of one of its judged metrics.
struct LeastMde {
  double known = std::numeric_limits<double>::infinity();  // stays so where no device is
  double unknown = std::numeric_limits<double>::infinity();
};

LeastMde sensitivity(const perfgate::Judge& judge, const std::string& key,
                     const perfgate::CaseRecord& record) {
  LeastMde out;
  for (const auto& [name, metric] : record.metrics) {
    if (!metric.judged) {
      continue;
    }
    const auto& sessions = record.revisions.back().measurements.at(name);
    const auto device = best_known_device(judge.history(key, name));
    const auto last = std::find_if(sessions.rbegin(), sessions.rend(), [&](const auto& item) {
      return judge.baseline().sessions.at(item.first).device_id == device;
    });
    const auto session = measurements_of(record.revisions.back(), last->first);
    const auto known = judgement_of(judge, key, name, session, device);
    if (known.known_device) {
      out.known = std::min(out.known, known.mde);
    }
    out.unknown = std::min(out.unknown, judgement_of(judge, key, name, session, "nobody's").mde);
  }
  return out;
}

void print_sensitivity(const Baseline& baseline, const perfgate::Policy& policy) {
  const perfgate::Judge judge(baseline, policy);
  std::map<std::string, std::vector<double>> known;
  std::map<std::string, std::vector<double>> unknown;
  for (const auto& [key, record] : baseline.cases) {
    const auto first_judged = std::find_if(record.metrics.begin(), record.metrics.end(),
                                           [](const auto& metric) { return metric.second.judged; });
    const auto group = perfgate::family_of(key) + " " + first_judged->second.variance_class;
    const auto least_mde = sensitivity(judge, key, record);
    if (std::isfinite(least_mde.known)) {
      known[group].push_back(least_mde.known);
    }
    unknown[group].push_back(least_mde.unknown);
  }
  fmt::print("\ncases by MDE\n");
  for (const auto& [name, mde] : unknown) {
    print_shares(name + ", known", known[name]);
    print_shares(name + ", unknown", mde);
  }
}

void print_devices(const Baseline& baseline, const perfgate::Policy& policy) {
  fmt::print("\nbetween devices, each against their mean\n");
  for (const auto& [key, record] : baseline.cases) {
    for (const auto& [name, metric] : record.metrics) {
      if (!metric.judged) {
        continue;
      }
      const auto history = history_of(baseline, record, name, policy.clock);
      const auto values = device_values(history);
      if (values.size() < 2) {
        continue;
      }
      const double middle = perfgate::mean(values);
      fmt::print("{:<50} {:<9} CV {:>5.2f} % ", key, text_of(name),
                 cv_percent(perfgate::deviations(values)));
      for (const auto& [device, reference] : history.devices) {
        fmt::print("  {:.12} {:+.2f} %", device, 100 * (reference.value - middle));
      }
      fmt::print("\n");
    }
  }
}

int run(int argc, char** argv) {
  if (argc < 2 || argc > 3) {
    fmt::print(stderr, "usage: bench_baseline baselines/MODEL [SESSIONS]\n");
    return 2;
  }
  const std::filesystem::path path = argv[1];
  auto baseline = perfgate::load_baseline(path);
  if (!baseline) {
    fmt::print(stderr, "no baseline {}\n", path.string());
    return 2;
  }
  if (argc == 3) {
    forget_later_sessions(*baseline, std::strtoul(argv[2], nullptr, 10));
  }
  const auto policy = perfgate::load_policy(path.parent_path());
  print_noise(*baseline, policy);
  print_sensitivity(*baseline, policy);
  print_devices(*baseline, policy);
  return 0;
}

}  // namespace

int main(int argc, char** argv) { return perfgate::ended(run, argc, argv); }
