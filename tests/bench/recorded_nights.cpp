#include "recorded_nights.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "night_looks.h"
#include "perfgate/baseline/store.h"
#include "perfgate/core/errors.h"
#include "perfgate/gate/judgement.h"
#include "perfgate/model/case_key.h"
#include "perfgate/run/machine/baselines_folder.h"
#include "taken_out.h"

namespace perfgate {
namespace {

constexpr double kMultiples[] = {1, 1.25, 1.5, 2};  // of the MDE

Outcome judged(const Judge& judge, const NightLooks& looks, const std::string& key,
               const Night& night, const SessionMeasurements& measurements) {
  Outcome out;
  out.case_key = key;
  out.device_id = night.device_id;
  out.verdict = Verdict::kPass;
  for (const auto& [metric, record] : judge.baseline().cases.at(key).metrics) {
    if (record.judged && measurements.count(metric) > 0) {
      out.judgements.push_back(looks.judged(key, metric, measurements));
      out.verdict = worse(out.verdict, out.judgements.back().verdict);
    }
  }
  return out;
}

// What a night came to: what each case did as it was recorded, and slowed.
void count_night(const Judge& judge, const std::map<std::string, Night>& nights,
                 const std::function<std::string(bool known)>& place_of, Certificate& certificate,
                 std::map<std::string, std::vector<Outcome>>& by_place) {
  const NightLooks looks(judge, nights);
  for (const auto& [key, night] : nights) {
    const Outcome outcome = judged(judge, looks, key, night, night.measurements);
    if (outcome.judgements.empty()) {
      continue;  // the session has nothing that is judged today
    }
    const bool known = outcome.judgements.front().known_device;
    const std::string where = place_of(known);
    by_place[where].push_back(outcome);
    const Policy& policy = judge.policy();
    const double limit = policy.mde_limit_of(judge.baseline().device.kind).at(known);
    const auto injection = injection_for(outcome, 1 - policy.detection_probability);
    if (outcome.verdict != Verdict::kPass || outcome.deciding()->mde > limit || !injection) {
      continue;  // it would be no canary
    }
    const auto is_found = [&, &key = key, &night = night](double slowdown) {
      // As by injected work: neither the host's time nor memory grows.
      const auto measurements = slower(night.measurements, slowdown, shows_injected_work);
      return judged(judge, looks, key, night, measurements).verdict == Verdict::kRegressed;
    };
    for (const double multiple : kMultiples) {
      certificate.add_injected(where, key, multiple, is_found(multiple * injection->mde));
    }
    certificate.add_canary(where, key, is_found(injection->least));
  }
}

std::set<std::string> keys_of(const std::map<std::string, Night>& nights) {
  std::set<std::string> out;
  for (const auto& [key, night] : nights) {
    out.insert(key);
  }
  return out;
}

// Each session once, with the cases that it has.
void add_sessions(const Baseline& recorded, const Policy& policy, Certificate& certificate) {
  const auto place_of = [&recorded](bool known) {
    return fmt::format("recorded data: {}, sessions of devices that the rest {}",
                       recorded.device.model, known ? "knows" : "does not know");
  };
  for (const auto& [id, session] : recorded.sessions) {
    Baseline left = recorded;
    const auto nights = take_session_out(left, id);
    if (nights.empty()) {
      continue;
    }
    const Judge judge(std::move(left), policy, keys_of(nights));
    std::map<std::string, std::vector<Outcome>> by_place;
    count_night(judge, nights, place_of, certificate, by_place);
    for (const auto& [where, outcomes] : by_place) {
      certificate.add_recorded(where, session.date, outcomes);
    }
  }
}

// The sessions of a case whose device has another one.
std::vector<std::string> repeated_sessions(const Baseline& recorded, const CaseRecord& record) {
  std::map<std::string, std::vector<std::string>> by_device;
  for (const auto& id : record.revisions.back().reference) {
    by_device[recorded.sessions.at(id).device_id].push_back(id);
  }
  std::vector<std::string> out;
  for (const auto& [device, ids] : by_device) {
    if (ids.size() > 1) {
      out.insert(out.end(), ids.begin(), ids.end());
    }
  }
  return out;
}

// Nights of a whole family, which no session measured at once: of each case some session, each as
// likely as any other. The sessions are the same ones over and over.
void draw_nights(const Baseline& recorded, const std::string& family, int count,
                 const Policy& policy, Certificate& certificate) {
  const std::string where = fmt::format(
      "drawn from recorded data: {}, whole families on known devices", recorded.device.model);
  std::mt19937_64 random(1);
  for (int i = 0; i < count; ++i) {
    Baseline left = recorded;
    std::map<std::string, Night> nights;
    std::string newest;
    for (auto& [key, record] : left.cases) {
      const auto ids = family_of(key) == family ? repeated_sessions(recorded, record)
                                                : std::vector<std::string>{};
      if (ids.empty()) {
        continue;
      }
      const auto& id = ids[random() % ids.size()];
      if (auto night = take_session_out(recorded, record, id)) {
        newest = std::max(newest, recorded.sessions.at(id).date);
        nights[key] = std::move(*night);
      }
    }
    if (nights.empty()) {
      return;
    }
    const Judge judge(std::move(left), policy, keys_of(nights));
    std::map<std::string, std::vector<Outcome>> by_place;
    count_night(
        judge, nights, [&where](bool) { return where; }, certificate, by_place);
    for (const auto& [place, outcomes] : by_place) {
      certificate.add_recorded(place, newest, outcomes);
    }
  }
}

}  // namespace

void add_recorded_nights(const std::filesystem::path& folder, int drawn, Certificate& certificate) {
  const auto recorded = load_baseline(folder);
  if (!recorded) {
    throw UsageError("no baseline " + folder.string(), "name a folder like baselines/NVIDIA_H200");
  }
  const Policy policy = load_policy(folder.parent_path());
  add_sessions(*recorded, policy, certificate);
  std::set<std::string> families;
  for (const auto& [key, record] : recorded->cases) {
    families.insert(family_of(key));
  }
  for (const auto& family : families) {
    draw_nights(*recorded, family, drawn, policy, certificate);
  }
}

}  // namespace perfgate
