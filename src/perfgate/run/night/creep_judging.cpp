#include "perfgate/run/night/creep_judging.h"

#include <fmt/format.h>

#include <vector>

#include "perfgate/gate/creep.h"
#include "perfgate/run/night/night_history.h"

namespace perfgate {

bool is_a_night(const Run& run, const Selection& selection) {
  return !run.partial && selection.case_glob.empty() && !selection.missing && !selection.learning;
}

namespace {

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

std::string judge_over_nights(const Judge& judge, const std::filesystem::path& path, Run& run) {
  std::vector<std::string> cases;
  for (const auto& outcome : run.outcomes) {
    cases.push_back(outcome.case_key);
  }
  const std::string& device = run.info.session.device_id;
  SeriesNights nights(judge, device, cases);
  std::string latest;
  const std::string said = for_each_night(path, [&](const CaseNight& night) {
    nights.add(night);
    if (night.device_id == device && night.time > latest) {  // ISO 8601 sorts as text
      latest = night.time;
    }
  });
  run.creeps = nights.creeps();
  return said + clock_text(latest, run.info.started, path);
}

}  // namespace perfgate
