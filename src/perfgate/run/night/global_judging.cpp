#include "perfgate/run/night/global_judging.h"

#include <algorithm>

#include "perfgate/report/global_text.h"

namespace perfgate {

void judge_globally(const Judge& judge, const CeilingRates& tonight,
                    const std::function<std::optional<std::string>()>& why_unfit, Run& run) {
  const auto night = night_changes(run.outcomes);
  if (night.empty()) {
    return;
  }
  SessionRecord now = run.info.session;
  now.ceilings = tonight;
  run.global = global_changes(judge.with_alpha(judge.alpha() / run.info.shards), night);
  if (std::none_of(run.global.begin(), run.global.end(), is_found)) {
    return;
  }
  if (const auto why = why_unfit()) {
    for (auto& change : run.global) {
      change.verdict = is_found(change) ? Verdict::kMachineInvalid : change.verdict;
    }
    run.moved = "the device was not fit: " + *why;
    return;
  }
  const auto& sessions = judge.baseline().sessions;
  const auto own = std::find_if(sessions.rbegin(), sessions.rend(), [&now](const auto& session) {
    return session.second.device_id == now.device_id;
  });
  if (own != sessions.rend()) {
    run.moved = what_moved(own->second, now, run.outcomes);
  }
}

}  // namespace perfgate
