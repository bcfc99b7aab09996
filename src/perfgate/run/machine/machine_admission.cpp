#include "perfgate/run/machine/machine_admission.h"

#include "perfgate/core/errors.h"
#include "perfgate/gate/interference.h"
#include "perfgate/process/interrupt.h"

namespace perfgate {
namespace {

constexpr std::size_t kFewestMeasurements = 3;
constexpr double kSecondsPerSecondOfMeasuring = 20;

}  // namespace

void MachineAdmission::admit() {
  for (int attempt = 0; attempt < policy_.attempts && !interrupted_by(); ++attempt) {
    launcher_.stop_workers();
    health_ = device_.health(/*exclusive=*/true);
    machine_ = measure_machine(launcher_);
    if (health_.why_unfit) {
      why_unfit_ = "the device is not fit: " + *health_.why_unfit;
    } else if (machine_.status != WorkerStatus::kMeasured) {
      why_unfit_ = "its ceilings cannot be measured: " + machine_.message;
    } else {
      why_unfit_ = why_unlike_recorded();
    }
    if (!why_unfit_) {
      break;
    }
    wait_(*why_unfit_);
  }
  measured_ = {machine_.ceilings};
  next_ = clock_();
}

std::optional<std::string> MachineAdmission::why_unlike_recorded() const {
  return recorded_ == nullptr
             ? std::nullopt
             : perfgate::why_unlike_recorded(*recorded_,
                                             policy_.machine_of(recorded_->device.kind).tolerance,
                                             machine_.ceilings);
}

void MachineAdmission::measure_again() {
  if (policy_.machine.count(device_.identity().kind) == 0) {
    return;  // its ceilings are cases
  }
  const Seconds before = clock_();
  try {
    const WorkerReport machine = measure_machine(launcher_);
    if (machine.status == WorkerStatus::kMeasured) {
      measured_.push_back(machine.ceilings);
    }
  } catch (const SystemError&) {  // no worker could be started: one measurement less
  }
  next_ = clock_() + kSecondsPerSecondOfMeasuring * (clock_() - before);
}

void MachineAdmission::measure_again_if_due() {
  if (clock_() >= next_) {
    measure_again();
  }
}

void MachineAdmission::complete_measurements() {
  for (auto count = measured_.size(); count < kFewestMeasurements && !interrupted_by(); ++count) {
    measure_again();
  }
}

CeilingRates MachineAdmission::usual() const { return median_ceilings(measured_); }

}  // namespace perfgate
