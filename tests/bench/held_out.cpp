// Would the judge have stood the test of what is recorded already? Judges one session of every
// device that has three or more, as a night, by the others; each of the first three in turn. With
// "devices", all sessions of each device in turn, by the other devices. Prints how many would have
// been alarms, and how many would have been found had they been slower, at the same clock. No
// session changed, or it would have begun a revision; so an alarm is a false one. With "every",
// prints each judgement of each recorded session of the revisions in force, none left out: what a
// change to the judge, or to how baselines are kept, must leave as it is.
//   bench_held_out baselines/MODEL [devices | every]

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "command_line.h"
#include "perfgate/baseline/store.h"
#include "perfgate/gate/learned_baseline.h"
#include "perfgate/model/case_key.h"
#include "perfgate/run/baselines_folder.h"

namespace {

using perfgate::Baseline;

constexpr int kSessions = 3;
constexpr double kSlowdowns[] = {0.03, 0.05, 0.08, 0.1, 0.2};

// A session that is taken out of a case's revision in force.
struct Night {
  std::string device_id;
  perfgate::SessionMeasurements measurements;
};

struct Count {
  int nights = 0;
  int alarms = 0;
  std::map<double, int> detectable;  // by the slowdown: judged metrics whose MDE is no larger
  std::map<double, int> found;       // and of those, it was
};

// Of which judged metrics a session has measurements.
std::size_t judged_in(const perfgate::CaseRecord& record, const std::string& session) {
  const auto measurements = measurements_of(record.revisions.back(), session);
  return static_cast<std::size_t>(
      std::count_if(measurements.begin(), measurements.end(),
                    [&](const auto& item) { return record.metrics.at(item.first).judged; }));
}

// The reference sessions of the device that has enough of them, of as many judged metrics as
// possible.
std::vector<std::string> repeated_sessions(const Baseline& baseline,
                                           const perfgate::CaseRecord& record) {
  std::map<std::string, std::vector<std::string>> by_device;
  for (const auto& id : record.revisions.back().reference) {
    by_device[baseline.sessions.at(id).device_id].push_back(id);
  }
  std::vector<std::string> out;
  for (const auto& [device, ids] : by_device) {
    if (ids.size() >= kSessions &&
        (out.empty() || judged_in(record, ids.front()) > judged_in(record, out.front()))) {
      out = ids;
    }
  }
  return out;
}

std::optional<Night> take_out(const Baseline& baseline, perfgate::CaseRecord& record, int which) {
  const auto ids = repeated_sessions(baseline, record);
  if (ids.empty()) {
    return std::nullopt;
  }
  const auto& id = ids.at(static_cast<std::size_t>(which));
  Night out{baseline.sessions.at(id).device_id, {}};
  auto& revision = record.revisions.back();
  std::erase(revision.reference, id);
  for (auto& [metric, sessions] : revision.measurements) {
    if (auto session = sessions.extract(id)) {
      out.measurements[metric] = std::move(session.mapped());
    }
  }
  return out;
}

// Every session of a device, by case. A case that no other device knows stays as it is.
std::multimap<std::string, Night> take_device_out(Baseline& baseline,
                                                  const std::string& device_id) {
  std::multimap<std::string, Night> out;
  for (auto& [key, record] : baseline.cases) {
    perfgate::Revision left = record.revisions.back();
    std::erase_if(left.reference, [&](const std::string& id) {
      return baseline.sessions.at(id).device_id == device_id;
    });
    const bool known_elsewhere =
        !left.reference.empty() &&
        std::all_of(record.metrics.begin(), record.metrics.end(), [&](const auto& item) {
          return !item.second.judged || !references_with(left, item.first).empty();
        });
    if (!known_elsewhere) {
      continue;
    }
    std::map<std::string, perfgate::SessionMeasurements> taken;
    for (auto& [metric, sessions] : left.measurements) {
      std::erase_if(sessions, [&, &name = metric](const auto& session) {
        const bool mine = baseline.sessions.at(session.first).device_id == device_id;
        if (mine) {
          taken[session.first][name] = session.second;
        }
        return mine;
      });
    }
    for (auto& [id, measurements] : taken) {
      out.emplace(key, Night{device_id, std::move(measurements)});
    }
    record.revisions.back() = std::move(left);
  }
  return out;
}

// Every metric, so that cycles and time keep their clock.
perfgate::SessionMeasurements slower(perfgate::SessionMeasurements session, double by) {
  for (auto& [name, measurements] : session) {
    for (double& value : measurements) {
      value *= better_of(name) == perfgate::Better::kLower ? 1 + by : 1 / (1 + by);
    }
  }
  return session;
}

void count(const perfgate::JudgeContext& context, const std::string& key, const Night& night,
           std::map<std::string, Count>& counts) {
  const auto& record = context.baseline.cases.at(key);
  for (const auto& [name, metric] : record.metrics) {
    if (!metric.judged || night.measurements.count(name) == 0) {
      continue;
    }
    const auto judgement = judge(context, key, name, night.measurements, night.device_id);
    auto& out =
        counts[perfgate::family_of(key) + " " + metric.variance_class + " " + text_of(name)];
    ++out.nights;
    if (judgement.verdict != perfgate::Verdict::kPass) {
      ++out.alarms;
      fmt::print("  {}  {} {}  {:+.2f} %, p = {:.0e}; spread {:.2f} %, allowed {:.2f} %\n",
                 perfgate::name_of(judgement.verdict), key, text_of(name), 100 * judgement.change,
                 judgement.p_value, 100 * judgement.spread, 100 * judgement.spread_limit);
    }
    for (const double by : kSlowdowns) {
      if (judgement.mde <= by) {
        ++out.detectable[by];
        out.found[by] +=
            judge(context, key, name, slower(night.measurements, by), night.device_id).verdict ==
            perfgate::Verdict::kRegressed;
      }
    }
  }
}

void judge_nights(const Baseline& recorded, const perfgate::Policy& policy, int which,
                  std::map<std::string, Count>& counts) {
  Baseline baseline = recorded;
  std::map<std::string, Night> nights;
  for (auto& [key, record] : baseline.cases) {
    if (auto night = take_out(recorded, record, which)) {
      nights[key] = std::move(*night);
    }
  }
  const perfgate::LearnedBaseline learned(std::move(baseline), policy);
  for (const auto& [key, night] : nights) {
    count(learned.context(), key, night, counts);
  }
}

void judge_devices(const Baseline& recorded, const perfgate::Policy& policy,
                   std::map<std::string, Count>& counts) {
  for (const auto& device : devices_of(recorded)) {
    Baseline baseline = recorded;
    const auto nights = take_device_out(baseline, device);
    const perfgate::LearnedBaseline learned(std::move(baseline), policy);
    for (const auto& [key, night] : nights) {
      count(learned.context(), key, night, counts);
    }
  }
}

// Nothing is taken out.
void print_every_judgement(const Baseline& recorded, const perfgate::Policy& policy) {
  const perfgate::LearnedBaseline learned(recorded, policy);
  for (const auto& [key, record] : recorded.cases) {
    for (const auto& [name, sessions] : record.revisions.back().measurements) {
      if (!record.metrics.at(name).judged) {
        continue;
      }
      for (const auto& [id, measurements] : sessions) {
        const auto found =
            judge(learned.context(), key, name, measurements_of(record.revisions.back(), id),
                  recorded.sessions.at(id).device_id);
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

int run(int argc, char** argv) {
  const std::string mode = argc == 3 ? argv[2] : "";
  if (argc != 2 && mode != "devices" && mode != "every") {
    fmt::print(stderr, "usage: bench_held_out baselines/MODEL [devices | every]\n");
    return 2;
  }
  const std::filesystem::path path = argv[1];
  const auto baseline = perfgate::load_baseline(path);
  if (!baseline) {
    fmt::print(stderr, "no baseline {}\n", path.string());
    return 2;
  }
  auto policy = perfgate::load_policy(path.parent_path());
  std::map<std::string, Count> counts;
  if (mode == "every") {
    print_every_judgement(*baseline, policy);
  } else if (mode == "devices") {
    judge_devices(*baseline, policy, counts);
  } else {
    policy.known_device_sessions = kSessions - 1;  // what is left of them is the device's own
    for (int which = 0; which < kSessions; ++which) {
      judge_nights(*baseline, policy, which, counts);
    }
  }
  for (auto& [group, found] : counts) {
    fmt::print("{:<44} nights {:>4}  alarms {:>2}", group, found.nights, found.alarms);
    for (const double by : kSlowdowns) {
      fmt::print("  {:.0f} %: {} of {}", 100 * by, found.found[by], found.detectable[by]);
    }
    fmt::print("\n");
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) { return perfgate::ended(run, argc, argv); }
