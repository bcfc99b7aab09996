// Would the judge have stood the test of what is recorded already? Judges one session of every
// device that has three or more, as a night, by the others; each of the first three in turn. With
// "devices", all sessions of each device in turn, by the other devices, the first of each case as
// one night, and so on, which gets a second look (gate/second_look.h); with "after_one" and
// "after_two" all but its first one or two of each case, which the judge knows. Prints how many
// would have been alarms, how many would have been found had they been slower, at the same clock,
// and of the phases of each family how large a slowdown the metric sees that sees most. No session
// changed, or it would have begun a revision; so an alarm is a false one. With "every", prints each
// judgement of each recorded session of the revisions in force, none left out: what a change to the
// judge, or to how baselines are kept, must leave as it is. NIGHT: a file of the keys that share
// the false-alarm budget, one a line; without it all do.
//   bench_held_out baselines/MODEL [held | devices | after_one | after_two | every] [NIGHT]

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "command_line.h"
#include "night_looks.h"
#include "perfgate/baseline/store.h"
#include "perfgate/gate/judgement.h"
#include "perfgate/model/case_key.h"
#include "perfgate/run/machine/baselines_folder.h"
#include "perfgate/stats/descriptive.h"
#include "taken_out.h"

namespace {

using perfgate::Baseline;
using perfgate::Judge;
using perfgate::kSessions;
using perfgate::lines_of;
using perfgate::Night;
using perfgate::NightLooks;
using perfgate::slower;
using perfgate::take_device_out;
using perfgate::take_out;

constexpr double kSlowdowns[] = {0.03, 0.05, 0.08, 0.1, 0.2};
constexpr double kSeen[] = {0.01, 0.02, 0.03, 0.05, 0.08};
constexpr double kShortUs = 40;

// What the sessions are judged by.
struct Bench {
  const perfgate::Policy& policy;
  std::set<std::string> night;
};

struct Count {
  int nights = 0;
  int alarms = 0;
  int suspected = 0;
  std::map<double, int> detectable;  // by the slowdown: judged metrics whose MDE is no larger
  std::map<double, int> found;       // and of those, it was
};

bool is_time_on_the_device(perfgate::Metric metric) {
  return metric.quantity == perfgate::Quantity::kNetTime ||
         metric.quantity == perfgate::Quantity::kBusyTime ||
         metric.quantity == perfgate::Quantity::kCycles;
}

// What judging the nights came to.
struct Tally {
  std::map<std::string, Count> by_metric;
  std::map<std::string, std::vector<double>> least_mde;  // of each phase, by family and length

  void add(const Judge& judge, const std::map<std::string, Night>& night) {
    const NightLooks looks(judge, night);
    for (const auto& [key, session] : night) {
      add(judge, looks, key, session);
    }
  }

 private:
  void add(const Judge& judge, const NightLooks& looks, const std::string& key,
           const Night& night) {
    const auto& record = judge.baseline().cases.at(key);
    std::map<perfgate::Phase, double> least;
    std::map<perfgate::Phase, double> longest_us;
    for (const auto& [name, metric] : record.metrics) {
      if (!metric.judged || night.measurements.count(name) == 0) {
        continue;
      }
      const auto judgement = looks.judged(key, name, night.measurements);
      count(judge, looks, key, name, night, judgement);
      if (is_time_on_the_device(name)) {
        auto& mde = least.try_emplace(name.phase, judgement.mde).first->second;
        mde = std::min(mde, judgement.mde);
        longest_us[name.phase] = std::max(longest_us[name.phase], time_us(night, name.phase));
      }
    }
    for (const auto& [phase, mde] : least) {
      const bool is_night = judge.night().empty() || judge.night().count(key) > 0;
      const char* length = longest_us[phase] < kShortUs ? " < 40 us" : " >= 40 us";
      if (is_night) {
        least_mde[perfgate::family_of(key) + length].push_back(mde);
        least_mde[std::string("all") + length].push_back(mde);
      }
    }
  }

  static double time_us(const Night& night, perfgate::Phase phase) {
    double out = 0;
    for (const auto metric : {perfgate::kNetTime.in(phase), perfgate::kBusyTime.in(phase)}) {
      const auto found = night.measurements.find(metric);
      out =
          found == night.measurements.end() ? out : std::max(out, perfgate::median(found->second));
    }
    return out;
  }

  void count(const Judge& judge, const NightLooks& looks, const std::string& key,
             perfgate::Metric name, const Night& night, const perfgate::Judgement& judgement) {
    const auto& metric = judge.baseline().cases.at(key).metrics.at(name);
    auto& out =
        by_metric[perfgate::family_of(key) + " " + metric.variance_class + " " + text_of(name)];
    ++out.nights;
    if (judgement.verdict != perfgate::Verdict::kPass) {
      ++(judgement.verdict == perfgate::Verdict::kSuspect ? out.suspected : out.alarms);
      fmt::print("  {}  {} {}  {:+.2f} %, p = {:.0e}; spread {:.2f} %, allowed {:.2f} %\n",
                 perfgate::name_of(judgement.verdict), key, text_of(name), 100 * judgement.change,
                 judgement.p_value, 100 * judgement.spread, 100 * judgement.spread_limit);
    }
    for (const double by : kSlowdowns) {
      if (judgement.mde <= by) {
        ++out.detectable[by];
        out.found[by] += looks.judged(key, name, slower(night.measurements, by)).verdict ==
                         perfgate::Verdict::kRegressed;
      }
    }
  }
};

void judge_nights(const Baseline& recorded, const Bench& bench, int which, Tally& tally) {
  Baseline baseline = recorded;
  std::map<std::string, Night> nights;
  for (auto& [key, record] : baseline.cases) {
    if (auto night = take_out(recorded, record, which)) {
      nights[key] = std::move(*night);
    }
  }
  const Judge judge(std::move(baseline), bench.policy, bench.night);
  tally.add(judge, nights);
}

// The sessions of one device as nights: the first one of each case, and so on.
std::vector<std::map<std::string, Night>> as_nights(std::multimap<std::string, Night> sessions) {
  std::vector<std::map<std::string, Night>> out;
  for (auto& [key, session] : sessions) {
    std::size_t night = 0;
    while (night < out.size() && out[night].count(key) > 0) {
      ++night;
    }
    out.resize(std::max(out.size(), night + 1));
    out[night][key] = std::move(session);
  }
  return out;
}

void judge_devices(const Baseline& recorded, const Bench& bench, int kept, Tally& tally) {
  for (const auto& device : devices_of(recorded)) {
    Baseline baseline = recorded;
    const auto nights = as_nights(take_device_out(baseline, device, kept));
    const Judge judge(std::move(baseline), bench.policy, bench.night);
    for (const auto& night : nights) {
      tally.add(judge, night);
    }
  }
}

// Nothing is taken out.
void print_every_judgement(const Baseline& recorded, const Bench& bench) {
  const Judge judge(recorded, bench.policy, bench.night);
  for (const auto& [key, record] : recorded.cases) {
    for (const auto& [name, sessions] : record.revisions.back().measurements) {
      if (!record.metrics.at(name).judged) {
        continue;
      }
      for (const auto& [id, measurements] : sessions) {
        const auto& session = recorded.sessions.at(id);
        const auto found =
            judgement_of(judge.of_device(session.ceilings), key, name,
                         measurements_of(record.revisions.back(), id), session.device_id);
        fmt::print(
            "{} {} {}  {}  {:.6g} +- {:.6g}  mde {:.6g}  threshold {:.6g}  p {:.6g}  "
            "spread {:.6g} of {:.6g}  now {:.6g}  before {:.6g}\n",
            key, text_of(name), id, perfgate::name_of(found.verdict), found.change,
            found.half_width, found.mde, found.threshold, found.p_value, found.spread,
            found.spread_limit, found.now, found.before);
      }
    }
  }
}

void print(Tally& tally) {
  for (auto& [group, found] : tally.by_metric) {
    fmt::print("{:<44} nights {:>4}  alarms {:>2}  suspected {:>2}", group, found.nights,
               found.alarms, found.suspected);
    for (const double by : kSlowdowns) {
      fmt::print("  {:.0f} %: {} of {}", 100 * by, found.found[by], found.detectable[by]);
    }
    fmt::print("\n");
  }
  for (const auto& [group, seen] : tally.least_mde) {
    fmt::print("{:<28} phases {:>4}  median MDE {:>5.1f} %, seen", group, seen.size(),
               100 * perfgate::median(seen));
    for (const double by : kSeen) {
      const auto count =
          std::count_if(seen.begin(), seen.end(), [&](double mde) { return mde <= by; });
      fmt::print("  {:.0f} %: {:.0f} %", 100 * by,
                 100 * static_cast<double>(count) / static_cast<double>(seen.size()));
    }
    fmt::print("\n");
  }
}

int run(int argc, char** argv) {
  const std::string mode = argc > 2 ? argv[2] : "held";
  const std::map<std::string, int> kept = {{"devices", 0}, {"after_one", 1}, {"after_two", 2}};
  const bool known_mode = mode == "held" || mode == "every" || kept.count(mode) > 0;
  if (argc < 2 || argc > 4 || !known_mode) {
    fmt::print(stderr,
               "usage: bench_held_out baselines/MODEL [held | devices | after_one | after_two | "
               "every] [NIGHT]\n");
    return 2;
  }
  const std::filesystem::path path = argv[1];
  const auto baseline = perfgate::load_baseline(path);
  if (!baseline) {
    fmt::print(stderr, "no baseline {}\n", path.string());
    return 2;
  }
  const auto policy = perfgate::load_policy(path.parent_path());
  const Bench bench{policy, argc == 4 ? lines_of(argv[3]) : std::set<std::string>{}};
  Tally tally;
  if (mode == "every") {
    print_every_judgement(*baseline, bench);
  } else if (kept.count(mode) > 0) {
    judge_devices(*baseline, bench, kept.at(mode), tally);
  } else {
    for (int which = 0; which < kSessions; ++which) {
      judge_nights(*baseline, bench, which, tally);
    }
  }
  print(tally);
  return 0;
}

}  // namespace

int main(int argc, char** argv) { return perfgate::ended(run, argc, argv); }
