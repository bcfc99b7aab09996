#include "perfgate/run/compare/made_builds.h"

#include "perfgate/process/interrupt.h"
#include "perfgate/report/bisection_text.h"

namespace perfgate {

PairedBuild* MadeBuilds::ready(std::size_t place) {
  if (const auto found = builds_.find(place); found != builds_.end()) {
    return &found->second;
  }
  const std::string& name = names_[place];
  console_.show_passing("  making " + name);
  stop_workers();
  MadeBuild made = make_(name);
  if (made.launcher) {
    const WorkerReport machine = measure_machine(*made.launcher);
    made.launcher->stop_workers();
    if (machine.status == WorkerStatus::kMeasured) {
      console_.print(build_made_row(name, made.program, libtorch_of(machine)));
      launchers_.push_back(std::move(made.launcher));
      return &builds_.try_emplace(place, PairedBuild{*launchers_.back()}).first->second;
    }
    made.why_not = "it cannot be measured: " + machine.message;
  }
  if (!interrupted_by()) {
    console_.print(build_passed_over_row(name, made.why_not));
  }
  return nullptr;
}

void MadeBuilds::stop_workers() {
  for (const auto& launcher : launchers_) {
    launcher->stop_workers();
  }
}

}  // namespace perfgate
