#include "perfgate/run/night/creep_judging.h"

#include <fmt/format.h>

#include <vector>

#include "perfgate/core/plain_text.h"
#include "perfgate/gate/creep.h"
#include "perfgate/report/case_night_json.h"
#include "perfgate/run/night/night_history.h"

namespace perfgate {

bool is_a_night(const Run& run, const Selection& selection, double inject_slowdown) {
  return inject_slowdown == 0 && !run.partial && selection.case_glob.empty() &&
         !selection.missing && !selection.learning;
}

namespace {

std::string torn_text(const std::string& torn, const std::filesystem::path& path) {
  return torn.empty() ? ""
                      : fmt::format(
                            "  history   a writer of {} was killed: its unfinished line "
                            "was cut off, \"{}\"\n",
                            path.string(), plain(torn.substr(0, 60)));
}

// Nights are put in order by their times, for histories of several machines are joined.
std::string clock_text(const std::string& latest, const std::string& now,
                       const std::filesystem::path& path) {
  return latest <= now
             ? ""
             : fmt::format(
                   "  history   the clock was set back, or was ahead: {} has a night of {}, and "
                   "it is {}. Tonight counts as before that one: set the clock, or "
                   "remove the nights that are to come\n",
                   path.string(), latest, now);
}

}  // namespace

std::string judge_over_nights(const Judge& judge, const std::filesystem::path& path,
                              FileCalls& files, Run& run) {
  SessionRecord tonight = run.info.session;
  tonight.date = run.info.started;
  auto own = case_nights(judge, tonight, run.outcomes);
  std::string said;
  for (const auto& night : own) {
    said += is_readable(night) ? ""
                               : fmt::format(
                                     "  history   {} is left out: its line could not be "
                                     "read again\n",
                                     plain(night.case_key));
  }
  std::erase_if(own, [](const CaseNight& night) { return !is_readable(night); });
  const std::string torn = append_nights(path, own, files);
  std::vector<std::string> cases;
  for (const auto& outcome : run.outcomes) {
    cases.push_back(outcome.case_key);
  }
  SeriesNights nights(judge, tonight.device_id, cases);
  std::string latest;
  said += for_each_night(path, [&](const CaseNight& night) {
    nights.add(night);
    if (night.device_id == tonight.device_id && night.time > latest) {  // ISO 8601 sorts as text
      latest = night.time;
    }
  });
  run.creeps = nights.creeps();
  return said + torn_text(torn, path) + clock_text(latest, run.info.started, path);
}

}  // namespace perfgate
