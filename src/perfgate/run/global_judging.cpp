#include "perfgate/run/global_judging.h"

#include <algorithm>

#include "perfgate/report/global_text.h"

namespace perfgate {

void judge_globally(const LearnedBaseline& learned, const CeilingRates& tonight, Run& run) {
  const auto night = night_changes(run.outcomes);
  if (night.empty()) {
    return;
  }
  SessionRecord now = run.info.session;
  now.ceilings = tonight;
  run.global = global_changes(learned.context(tonight), night, now.device_id);
  const bool changed = std::any_of(run.global.begin(), run.global.end(), [](const auto& change) {
    return change.verdict != Verdict::kPass;
  });
  const auto& sessions = learned.baseline().sessions;
  const auto own = std::find_if(sessions.rbegin(), sessions.rend(), [&now](const auto& session) {
    return session.second.device_id == now.device_id;
  });
  if (changed && own != sessions.rend()) {
    run.moved = what_moved(own->second, now, run.outcomes);
  }
}

}  // namespace perfgate
