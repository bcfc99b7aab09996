#include "perfgate/run/refresh/same_build.h"

#include <algorithm>

#include "perfgate/baseline/joining.h"
#include "perfgate/report/kernel_changes.h"
#include "perfgate/report/session_changes.h"

namespace perfgate {
namespace {

// Whether a commit says all of what was built.
bool names_all_sources(const std::string& commit) {
  return commit != "unknown" && !commit.ends_with("-dirty");
}

}  // namespace

std::optional<std::string> what_else_is_new(const Outcome& outcome, const Baseline& baseline,
                                            const SessionRecord& tonight) {
  const std::string advice =
      "record it as the baseline was measured, or begin anew with --accept='" + outcome.case_key +
      ":why'";
  if (!other_kernels_of(outcome, &baseline, 1).empty()) {
    return "suspected to be slower, and by other kernels than recorded: " + advice;
  }
  const Revision& revision = baseline.cases.at(outcome.case_key).revisions.back();
  const SessionRecord& before = baseline.sessions.at(revision.reference.front());
  const std::string changes =
      environment_changes(before, session_of_case(tonight, outcome.reports.front()));
  return changes.empty() ? std::nullopt
                         : std::optional("suspected to be slower, and measured otherwise (" +
                                         changes + "): " + advice);
}

bool is_noise(const Outcome& outcome, const Baseline& baseline, const SessionRecord& tonight,
              int known_device_sessions) {
  const auto known = baseline.cases.find(outcome.case_key);
  if (known == baseline.cases.end() || outcome.deciding() == nullptr) {
    return false;
  }
  const Revision& revision = known->second.revisions.back();
  const int own = sessions_on(baseline, revision, tonight.device_id);
  const Build build = build_of(tonight, outcome.case_key);
  const auto same =
      std::count_if(revision.reference.begin(), revision.reference.end(), [&](const auto& id) {
        const SessionRecord& before = baseline.sessions.at(id);
        return before.device_id == tonight.device_id && before.commit == tonight.commit &&
               build_of(before, outcome.case_key) == build;
      });
  return own > 0 && own < known_device_sessions && same == own &&
         names_all_sources(tonight.commit) && !build.workload.empty() &&
         !what_else_is_new(outcome, baseline, tonight);
}

}  // namespace perfgate
