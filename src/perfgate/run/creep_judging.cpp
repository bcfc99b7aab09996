#include "perfgate/run/creep_judging.h"

#include <fmt/format.h>

#include <vector>

#include "perfgate/gate/creep.h"
#include "perfgate/run/night_history.h"

namespace perfgate {

bool is_a_night(const Run& run, const Selection& selection, bool refresh, double inject_slowdown) {
  return !refresh && inject_slowdown == 0 && !run.partial && selection.case_glob.empty() &&
         !selection.missing && !selection.learning;
}

std::string judge_over_nights(const LearnedBaseline& learned, const std::filesystem::path& path,
                              FileCalls& files, Run& run) {
  const JudgeContext context = learned.context(run.info.session.ceilings);
  SessionRecord tonight = run.info.session;
  tonight.date = run.info.started;
  const std::string torn = append_nights(path, case_nights(context, tonight, run.outcomes), files);
  std::vector<std::string> cases;
  for (const auto& outcome : run.outcomes) {
    cases.push_back(outcome.case_key);
  }
  SeriesNights nights(context, tonight.device_id, cases);
  for_each_night(path, [&nights](const CaseNight& night) { nights.add(night); });
  run.creeps = nights.creeps();
  return torn.empty() ? ""
                      : fmt::format(
                            "  history   a writer of {} was killed: its unfinished line "
                            "was cut off, \"{}\"\n",
                            path.string(), torn.substr(0, 60));
}

}  // namespace perfgate
