#include "perfgate/run/refresh/refresh_run.h"

#include <utility>

#include "perfgate/baseline/store.h"
#include "perfgate/core/errors.h"
#include "perfgate/gate/decide.h"
#include "perfgate/report/refresh_text.h"
#include "perfgate/report/session_changes.h"
#include "perfgate/run/cases/unless_broken.h"

namespace perfgate {

RefreshRun::RefreshRun(GateSettings settings, GateTools tools)
    : CaseRun(std::move(settings), std::move(tools)),
      recorder_(settings_.refresh, policy_, judge_.baseline(), baseline_path_, run_.info.session,
                tools_.files) {}

void RefreshRun::require_what_follows() {
  if (const auto why = tools_.device.identity().why_not_kept) {
    throw UsageError(
        "nothing can be recorded of this machine, which would not be known again: " + *why,
        "name it with --device_id=NAME, by the same name in each run");
  }
  const FileLock writable(lock_path(baseline_path_));  // or throws now, not after the measuring
}

Outcome RefreshRun::judge(const std::vector<WorkerReport>& reports) const {
  return decide(judge_.of_device(run_.info.session.ceilings), reports, device_id());
}

Outcome RefreshRun::keep(Outcome outcome) {
  if (machine_.why_unfit()) {
    return outcome;
  }
  outcome = unless_broken(outcome.case_key, device_id(), [&] {
    Outcome out = outcome;
    recorder_.consider(out);
    return out;
  });
  machine_.measure_again_if_due();
  return outcome;
}

void RefreshRun::conclude() {
  if (recorder_.keeps_nothing()) {
    return;
  }
  machine_.complete_measurements();
  run_.info.session.ceilings = machine_.usual();
  if (const auto why_unfit = why_unfit_at_the_end()) {
    recorder_.refuse_all("the device was not fit when the session ended: " + *why_unfit,
                         run_.outcomes);
  }
  for (const auto& outcome : run_.outcomes) {
    if (!outcome.reports.empty()) {
      run_.info.session.settings.merge(settings_of_case(outcome.reports.front()));
    }
  }
  recorder_.write();
}

std::string RefreshRun::closing_text() const {
  return refresh_text(run_, settings_.refresh.reason);
}

}  // namespace perfgate
