#include "perfgate/report/history_data.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>
#include <vector>

#include "perfgate/core/utc_time.h"

namespace perfgate {
namespace {

using nlohmann::json;

constexpr double kSteps = 1e5;  // a unit, of logs

long steps(double log) { return std::lround(log * kSteps); }

long noise_of(const SeriesNight& night) {
  return night.noise ? steps(std::hypot(night.noise->night, night.noise->reference)) : -1;
}

long long seconds_of(const std::string& time) {
  const auto parsed = utc_time(time);
  return parsed ? parsed->time_since_epoch().count() : 0;
}

std::string name_of(const CaseNight& line) { return line.device_id + " " + line.case_key; }

}  // namespace

json history_data(const Run& night, std::span<const CaseNight> history) {
  std::set<std::pair<std::string, std::string>> wanted;
  for (const auto& outcome : night.outcomes) {
    wanted.emplace(outcome.device_id, outcome.case_key);
  }
  std::vector<const CaseNight*> ours;
  for (const auto& line : history) {
    if (wanted.count({line.device_id, line.case_key}) > 0) {
      ours.push_back(&line);
    }
  }
  std::stable_sort(ours.begin(), ours.end(), [](const CaseNight* a, const CaseNight* b) {
    return a->time < b->time;  // ISO 8601 sorts as text
  });
  std::map<std::pair<std::string, Metric>, const SeriesNight*> last;
  for (const CaseNight* line : ours) {
    for (const auto& [metric, series] : line->metrics) {
      last[{name_of(*line), metric}] = &series;
    }
  }

  json out = {{"builds", json::array()},
              {"times", json::array()},
              {"builds_of", json::array()},
              {"series", json::object()}};
  std::map<std::tuple<std::string, std::string, std::string>, std::size_t> builds;
  std::string time;
  for (const CaseNight* line : ours) {
    if (line->time != time) {
      time = line->time;
      const auto [build, is_new] = builds.emplace(
          std::tuple(line->commit, line->libtorch, line->driver.value_or("")), builds.size());
      if (is_new) {
        out["builds"].push_back({{"commit", line->commit},
                                 {"libtorch", line->libtorch},
                                 {"driver", line->driver.value_or("")}});
      }
      out["times"].push_back(seconds_of(line->time));
      out["builds_of"].push_back(build->second);
    }
    const auto at = out["times"].size() - 1;
    const std::string name = name_of(*line);
    for (const auto& [metric, series] : line->metrics) {
      auto& columns = out["series"][name][text_of(metric)];
      columns["at"].push_back(at);
      columns["change"].push_back(
          steps(change_against(*last.at({name, metric}), series, metric).log));
      columns["noise"].push_back(noise_of(series));
    }
  }
  return out;
}

}  // namespace perfgate
