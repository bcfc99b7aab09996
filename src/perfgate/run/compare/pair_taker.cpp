#include "perfgate/run/compare/pair_taker.h"

#include "perfgate/core/errors.h"
#include "perfgate/process/interrupt.h"
#include "perfgate/run/machine/tuned_launch.h"

namespace perfgate {
namespace {

WorkerReport not_started(const std::string& case_key, const SystemError& error) {
  WorkerReport out;
  out.case_key = case_key;
  out.message = error.problem();
  return out;
}

bool is_measured(const WorkerReport& report) { return report.status == WorkerStatus::kMeasured; }

std::optional<std::string> why_unfit(const WorkerReport& before, const WorkerReport& now) {
  return before.why_unfit ? before.why_unfit : now.why_unfit;
}

}  // namespace

bool has_failed(const PairedReports& reports) {
  return !reports.before.empty() &&
         !(is_measured(reports.before.back()) && is_measured(reports.now.back()) &&
           !why_unfit(reports.before.back(), reports.now.back()));
}

WorkerReport PairTaker::launch(const std::string& case_key, PairedBuild& build) {
  if (last_ != nullptr && last_ != &build.launcher) {
    last_->stop_workers();
  }
  last_ = &build.launcher;
  try {
    return launch_tuned(build.launcher,
                        {.case_key = case_key,
                         .check = build.checked.count(case_key) == 0,
                         .inject_slowdown = build.inject_slowdown,
                         .ceilings = ceilings_},
                        build.tunings[case_key]);
  } catch (const SystemError& error) {  // a worker could not even be started
    return not_started(case_key, error);
  }
}

// The pairs are AB, BA, AB...
void PairTaker::add_pair(PairedReports& reports, PairedBuild& before, PairedBuild& now) {
  const std::string& key = reports.case_key;
  const bool older_first = reports.before.size() % 2 == 0;
  WorkerReport of_before;
  WorkerReport of_now;
  for (int attempt = 0; attempt < policy_.attempts && !interrupted_by(); ++attempt) {
    if (attempt > 0) {
      wait_(*why_unfit(of_before, of_now));
    }
    if (older_first) {
      of_before = launch(key, before);
    }
    now.tunings.try_emplace(key, before.tunings[key]);
    of_now = launch(key, now);
    if (!older_first) {
      of_before = launch(key, before);
    }
    if (!why_unfit(of_before, of_now)) {
      break;
    }
  }
  if (interrupted_by()) {
    return;
  }
  before.checked.insert(key);
  now.checked.insert(key);
  reports.before.push_back(std::move(of_before));
  reports.now.push_back(std::move(of_now));
}

}  // namespace perfgate
