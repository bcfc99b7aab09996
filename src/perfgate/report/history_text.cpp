#include "perfgate/report/history_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <tuple>

#include "perfgate/core/errors.h"
#include "perfgate/gate/change.h"
#include "perfgate/gate/level_changes.h"
#include "perfgate/model/case_key.h"
#include "perfgate/model/libtorch_version.h"
#include "perfgate/report/layout.h"
#include "perfgate/report/session_changes.h"
#include "perfgate/report/wording.h"
#include "perfgate/stats/descriptive.h"

namespace perfgate {
namespace {

constexpr double kAlpha = 0.001;  // of a change of level in a series that has none
constexpr std::size_t kWorst = 10;
constexpr std::size_t kNightsBefore = 10;  // of what was long before, the level may be another

struct Point {
  const CaseNight* night;
  LogChange change;  // against the reference that the last night was compared with
};

using SeriesName = std::tuple<std::string, Metric, std::string>;  // case, metric, device
using AllSeries = std::map<SeriesName, std::vector<Point>>;

AllSeries series_of(const std::vector<CaseNight>& history, const std::string& case_glob) {
  AllSeries out;
  for (const auto& night : history) {
    if (!case_glob.empty() && !matches_glob(night.case_key, case_glob)) {
      continue;
    }
    for (const auto& [metric, series] : night.metrics) {
      out[{night.case_key, metric, night.device_id}].push_back({&night, series.change});
    }
  }
  for (auto& [name, points] : out) {
    std::stable_sort(points.begin(), points.end(), [](const Point& a, const Point& b) {
      return a.night->time < b.night->time;  // ISO 8601 sorts as text
    });
    const Metric metric = std::get<Metric>(name);
    const SeriesNight& last = points.back().night->metrics.at(metric);
    for (auto& point : points) {
      point.change = change_against(last, point.night->metrics.at(metric), metric);
    }
  }
  return out;
}

std::string when(const CaseNight& night) {
  return night.time.substr(0, 10) + " " + night.time.substr(11, 5);
}

std::string build_changes(const CaseNight& before, const CaseNight& now) {
  std::string out;
  add_libtorch_difference(out, before.libtorch, now.libtorch);
  add_difference(out, "driver", before.driver.value_or("unknown"), now.driver.value_or("unknown"));
  add_difference(out, "commit", before.commit, now.commit);
  return out.empty() ? "nothing that the history has" : out;
}

LogChange less(LogChange a, LogChange b) { return {a.log - b.log}; }

LogChange median_change(const std::vector<Point>& points, std::size_t begin, std::size_t end) {
  std::vector<double> values;
  for (std::size_t i = begin; i < end; ++i) {
    values.push_back(points[i].change.log);
  }
  return {median(values)};
}

std::string level_change_lines(const Metric& metric, const std::vector<Point>& points) {
  std::vector<double> values;
  for (const auto& point : points) {
    values.push_back(point.change.log);
  }
  auto found = level_changes(values, kAlpha);
  if (found.empty()) {
    return points.size() < 6 ? "" : "    no change of level\n";
  }
  found.insert(found.begin(), 0);
  found.push_back(points.size());
  std::string out;
  for (std::size_t i = 1; i + 1 < found.size(); ++i) {
    const LogChange by = less(median_change(points, found[i], found[i + 1]),
                              median_change(points, found[i - 1], found[i]));
    out += fmt::format("    changed on {} by {}: {}\n", when(*points[found[i]].night),
                       change_in_words(metric, relative(by)),
                       build_changes(*points[found[i] - 1].night, *points[found[i]].night));
  }
  return out;
}

// A night whose case was blind has passed nothing, whatever its series are.
Verdict shown_verdict(const CaseNight& night, const SeriesNight& series) {
  return night.verdict == Verdict::kBlind && passes(series.verdict) ? Verdict::kBlind
                                                                    : series.verdict;
}

std::string series_text(const SeriesName& name, const std::vector<Point>& points, int last) {
  const auto& [key, metric, device] = name;
  std::string out = fmt::format("\n  {}  {}   device {}, {}\n", key, text_of(metric),
                                device.substr(0, 12), plural(points.size(), "night"));
  const auto shown = std::min(points.size(), static_cast<std::size_t>(last));
  for (std::size_t i = points.size() - shown; i < points.size(); ++i) {
    const Point& point = points[i];
    const SeriesNight& series = point.night->metrics.at(metric);
    const std::string width =
        series.noise
            ? "+- " + percent_text(1.96 * std::hypot(series.noise->night, series.noise->reference))
            : "";
    out += fmt::format("    {:<16}  {:<18}  {:<20}  {:>8}  {:<9}  {}\n", when(*point.night),
                       point.night->commit, "LibTorch " + point.night->libtorch,
                       change_text(relative(point.change)), width,
                       name_of(shown_verdict(*point.night, series)));
  }
  return out + level_change_lines(metric, points);
}

// When what is asked for began: the day itself, or the first night of that LibTorch; where nothing
// is asked for, of the newest one, or of a history that has one LibTorch the last night.
std::string beginning(const std::vector<CaseNight>& history, const std::string& since) {
  const bool is_day = since.size() == 10 && since[4] == '-' && since[7] == '-';
  if (is_day) {
    return since;
  }
  const auto by_time = [](const CaseNight& a, const CaseNight& b) { return a.time < b.time; };
  const auto [first, last] = std::minmax_element(history.begin(), history.end(), by_time);
  const std::string version = since.empty() ? last->libtorch : since;
  std::string out;
  for (const auto& night : history) {
    if (is_one_libtorch(night.libtorch, version) && (out.empty() || night.time < out)) {
      out = night.time;
    }
  }
  if (out.empty()) {
    throw UsageError("no night of the history has LibTorch " + since,
                     "--since takes a day (2026-11-20) or a LibTorch that was measured");
  }
  return since.empty() && out == first->time ? last->time : out;
}

// When the last so many nights began, of which several devices may have one at a time.
std::string beginning_of_last(const std::vector<CaseNight>& history, int nights) {
  std::set<std::string, std::greater<>> times;
  for (const auto& night : history) {
    times.insert(night.time);
  }
  const auto wanted = std::min(times.size(), static_cast<std::size_t>(nights));
  return *std::next(times.begin(), static_cast<std::ptrdiff_t>(wanted) - 1);
}

struct Worst {
  const SeriesName* name;
  LogChange by;
  std::size_t before;
  std::size_t since;
  std::string changed;
};

std::string worst_changes(const AllSeries& all, const std::string& begin) {
  std::vector<Worst> found;
  for (const auto& [name, points] : all) {
    const auto first = std::find_if(points.begin(), points.end(),
                                    [&](const Point& point) { return point.night->time >= begin; });
    const auto before = static_cast<std::size_t>(first - points.begin());
    if (before > 0 && before < points.size()) {
      found.push_back(
          {&name,
           less(median_change(points, before, points.size()), median_change(points, 0, before)),
           before, points.size() - before,
           build_changes(*points[before - 1].night, *points.back().night)});
    }
  }
  if (found.empty()) {
    throw UsageError("no series of the history has nights before and since " + begin,
                     "name another day or LibTorch with --since");
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Worst& a, const Worst& b) { return a.by.log > b.by.log; });
  std::string out =
      fmt::format("\n  since {}, by the medians of the nights before and since, worst first\n",
                  begin.substr(0, 16));
  for (std::size_t i = 0; i < std::min(kWorst, found.size()); ++i) {
    const auto& [key, metric, device] = *found[i].name;
    out += fmt::format("    {:<50} {:<22} {:>8}   {} before, {} since   {}\n", key, text_of(metric),
                       change_text(relative(found[i].by)), found[i].before, found[i].since,
                       i == 0 || found[i].changed != found[i - 1].changed ? found[i].changed : "");
  }
  return out;
}

}  // namespace

std::string history_text(const std::vector<CaseNight>& history, const std::string& model,
                         const HistoryQuestion& question) {
  const AllSeries all = series_of(history, question.case_glob);
  if (all.empty()) {
    throw UsageError(
        question.case_glob.empty()
            ? "the history has no night of " + model
            : "the history has no night of a case like " + question.case_glob,
        "nights are added by whole runs of the gate, to the folder that --history names");
  }
  std::string out = fmt::format("  history of {}, {} series\n", model, all.size());
  if (question.case_glob.empty() || !question.since.empty()) {
    return out + worst_changes(all, question.slower_in_last
                                        ? beginning_of_last(history, *question.slower_in_last)
                                        : beginning(history, question.since));
  }
  for (const auto& [name, points] : all) {
    out += series_text(name, points, question.last);
  }
  return out;
}

}  // namespace perfgate
