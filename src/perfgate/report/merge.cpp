#include "perfgate/report/merge.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <iterator>
#include <map>
#include <set>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "perfgate/core/utc_time.h"
#include "perfgate/report/session_changes.h"

namespace perfgate {
namespace {

constexpr std::chrono::hours kLongestNight{16};

// Worst first.
int badness(Verdict verdict) {
  constexpr std::array<Verdict, 13> kWorstFirst = {
      Verdict::kWrong,      Verdict::kError,        Verdict::kLost,           Verdict::kRegressed,
      Verdict::kUnsteady,   Verdict::kOtherKernels, Verdict::kMachineInvalid, Verdict::kBlind,
      Verdict::kNoBaseline, Verdict::kSuspect,      Verdict::kUnsupported,    Verdict::kImproved,
      Verdict::kPass};
  return static_cast<int>(std::find(kWorstFirst.begin(), kWorstFirst.end(), verdict) -
                          kWorstFirst.begin());
}

std::chrono::sys_seconds time_of(const Run& run) {
  if (const auto out = utc_time(run.info.started)) {
    return *out;
  }
  throw UsageError(fmt::format("{}: \"{}\" is no time", run.source, run.info.started),
                   "remove the file: perfgate did not write it so");
}

[[noreturn]] void refuse(const Run& one, const Run& other, const std::string& what,
                         const std::string& of_one, const std::string& of_other) {
  throw UsageError(fmt::format("{} and {} are not one night: {} {} and {}", one.source,
                               other.source, what, of_one, of_other),
                   "keep each night in a folder of its own, and name it with --results");
}

// A run that was ended before it knew what it measures: it has found nothing, and says nothing of
// the others.
bool never_began(const Run& run) {
  const std::string& libtorch = run.info.session.libtorch;
  return run.outcomes.empty() && (libtorch.empty() || libtorch == "unknown");
}

// `runs`: by their start.
void require_one_night(const std::vector<Run>& runs) {
  const Run& first = runs.front();
  for (const auto& run : runs) {
    if (run.info.session.commit != first.info.session.commit) {
      refuse(first, run, "of commits", first.info.session.commit, run.info.session.commit);
    }
    if (time_of(run) - time_of(first) > kLongestNight) {
      refuse(first, run, "started at", first.info.started, run.info.started);
    }
    for (const auto& other : runs) {
      if (other.info.device.model == run.info.device.model && !never_began(run) &&
          !never_began(other) && other.info.session.libtorch != run.info.session.libtorch) {
        refuse(run, other, "with LibTorch", run.info.session.libtorch, other.info.session.libtorch);
      }
    }
  }
}

// The worst, which tells of the others.
Outcome worst_of(const std::vector<Outcome>& same) {
  Outcome out = *std::min_element(same.begin(), same.end(), [](const Outcome& a, const Outcome& b) {
    return badness(a.verdict) < badness(b.verdict);
  });
  if (same.size() > 1) {
    std::vector<std::string_view> verdicts;
    std::transform(same.begin(), same.end(), std::back_inserter(verdicts),
                   [](const Outcome& outcome) { return name_of(outcome.verdict); });
    out.message +=
        fmt::format("{}measured {} times, the worst counts: {}", out.message.empty() ? "" : "; ",
                    same.size(), fmt::join(verdicts, ", "));
  }
  return out;
}

// Which runs did not end, and of which families not all shards are there.
std::vector<std::string> unfinished(const std::vector<Run>& runs) {
  std::vector<std::string> out;
  std::map<std::pair<std::string, int>, std::set<int>> there;  // by family and number of shards
  for (const auto& run : runs) {
    there[{run.info.family, run.info.shards}].insert(run.info.shard);
    if (run.partial && run.info.selection.empty()) {
      out.push_back(fmt::format(
          "{} {}", run.source.empty() ? "a run" : run.source,
          never_began(run) ? "ended before it measured anything" : "was ended before it was done"));
    }
  }
  for (const auto& [family, shards] : there) {
    const auto missing = family.second - static_cast<int>(shards.size());
    if (missing > 0) {
      out.push_back(fmt::format("{} of {} shards of {} left no results", missing, family.second,
                                family.first));
    }
  }
  return out;
}

// Of the cases that did not run those that no run of the night has measured on that device.
std::vector<std::string> not_run(const std::vector<Run>& runs) {
  std::set<std::pair<std::string, std::string>> measured;  // of device and case
  for (const auto& run : runs) {
    for (const auto& outcome : run.outcomes) {
      measured.emplace(outcome.device_id, outcome.case_key);
    }
  }
  std::vector<std::string> out;
  for (const auto& run : runs) {
    for (const auto& key : run.not_run) {
      if (measured.emplace(run.info.session.device_id, key).second) {
        out.push_back(key);
      }
    }
  }
  return out;
}

// What the runs of a night were made with; where they differ, what each was.
std::map<std::string, std::string> settings_of(const std::vector<Run>& runs) {
  std::map<std::string, std::set<std::string>> values;
  for (const auto& run : runs) {
    for (const auto& [name, value] : run.info.session.settings) {
      values[name].insert(value);
    }
  }
  std::map<std::string, std::string> out;
  for (auto& [name, different] : values) {
    for (const auto& run : runs) {
      const auto& settings = run.info.session.settings;
      if (is_variable(name) && !settings.empty() && settings.count(name) == 0) {
        different.insert("unset");
      }
    }
    out[name] = fmt::format("{}", fmt::join(different, " or "));
  }
  return out;
}

// Shards and devices judge a group each; the worst says it for all, then the one that is least
// likely by chance.
void add_global(const Run& run, Run& out) {
  for (const auto& change : run.global) {
    const auto same = std::find_if(out.global.begin(), out.global.end(), [&](const auto& other) {
      return std::tie(other.family, other.variance_class, other.metric) ==
             std::tie(change.family, change.variance_class, change.metric);
    });
    if (same == out.global.end()) {
      out.global.push_back(change);
    } else if (std::pair(badness(change.verdict), change.p_value) <
               std::pair(badness(same->verdict), same->p_value)) {
      *same = change;
    }
  }
  out.moved += run.moved.empty() || out.moved.empty() ? run.moved : "; " + run.moved;
}

// `runs`: of one model, by their start.
Run night_of(const std::vector<Run>& runs, const ExitRules& rules) {
  Run out;
  const auto known = std::find_if_not(runs.rbegin(), runs.rend(), never_began);
  out.info = known == runs.rend() ? runs.back().info : known->info;
  out.info.family = "all";
  out.info.session.settings = settings_of(runs);
  std::set<std::string> devices;
  std::vector<std::pair<std::string, std::string>> order;  // of device and case
  std::map<std::pair<std::string, std::string>, std::vector<Outcome>> same;
  for (const auto& run : runs) {
    devices.insert(run.info.session.device_id);
    out.elapsed_s += run.elapsed_s;
    out.partial = out.partial || run.partial;
    add_global(run, out);
    out.creeps.insert(out.creeps.end(), run.creeps.begin(), run.creeps.end());
    if (!run.info.selection.empty()) {
      out.info.selection = run.info.selection;
    }
    out.canaries.insert(out.canaries.end(), run.canaries.begin(), run.canaries.end());
    for (const auto& outcome : run.outcomes) {
      auto& entries = same[{outcome.device_id, outcome.case_key}];
      if (entries.empty()) {
        order.emplace_back(outcome.device_id, outcome.case_key);
      }
      entries.push_back(outcome);
    }
  }
  out.not_run = not_run(runs);
  out.unfinished = unfinished(runs);
  out.partial = out.partial || !out.unfinished.empty();
  out.info.session.device_id = fmt::format("{}", fmt::join(devices, ", "));
  for (const auto& which : order) {
    out.outcomes.push_back(worst_of(same.at(which)));
  }
  out.exit_code = exit_code_of(out, rules);
  for (const auto& run : runs) {  // a process that failed before it measured has no outcomes
    out.exit_code = stronger(out.exit_code, run.exit_code);
  }
  return out;
}

}  // namespace

std::vector<Run> merged(std::vector<Run> runs, const ExitRules& rules) {
  if (runs.empty()) {
    throw std::invalid_argument("a night without a run");
  }
  std::stable_sort(runs.begin(), runs.end(),
                   [](const Run& a, const Run& b) { return a.info.started < b.info.started; });
  require_one_night(runs);
  std::vector<std::string> models;
  std::map<std::string, std::vector<Run>> by_model;
  for (auto& run : runs) {
    const std::string model = run.info.device.model;
    if (by_model[model].empty()) {
      models.push_back(model);
    }
    by_model[model].push_back(std::move(run));
  }
  std::vector<Run> out;
  for (const auto& model : models) {
    out.push_back(night_of(by_model.at(model), rules));
  }
  return out;
}

Run as_one(const std::vector<Run>& nights) {
  Run out = nights.back();
  out.exit_code = exit_code_of(nights);
  for (auto night = std::next(nights.rbegin()); night != nights.rend(); ++night) {
    out.outcomes.insert(out.outcomes.begin(), night->outcomes.begin(), night->outcomes.end());
    out.canaries.insert(out.canaries.begin(), night->canaries.begin(), night->canaries.end());
    out.global.insert(out.global.begin(), night->global.begin(), night->global.end());
    out.creeps.insert(out.creeps.begin(), night->creeps.begin(), night->creeps.end());
    out.not_run.insert(out.not_run.begin(), night->not_run.begin(), night->not_run.end());
    out.unfinished.insert(out.unfinished.begin(), night->unfinished.begin(),
                          night->unfinished.end());
    out.moved = out.moved.empty() ? night->moved : out.moved;
    out.elapsed_s += night->elapsed_s;
    out.partial = out.partial || night->partial;
    out.info.session.device_id = night->info.session.device_id + ", " + out.info.session.device_id;
  }
  return out;
}

}  // namespace perfgate
