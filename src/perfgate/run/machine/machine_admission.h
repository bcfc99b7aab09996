#pragma once
// Whether the machine is fit to measure on, and what its ceilings are: asked before the first case,
// and while a session is recorded.

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "perfgate/baseline/baseline.h"
#include "perfgate/core/units.h"
#include "perfgate/device/device.h"
#include "perfgate/gate/policy.h"
#include "perfgate/process/launcher.h"

namespace perfgate {

/// A machine that is busy this second may be fit in the next.
constexpr Seconds kRetryDelay{2};

class MachineAdmission {
 public:
  /// Borrows what is a reference, and `recorded`: whose sessions the machine must be like; null
  /// where nothing recorded is judged by. `wait`: called between two attempts, with the reason.
  MachineAdmission(Launcher& launcher, const Device& device, const Policy& policy,
                   const Baseline* recorded, std::function<Seconds()> clock,
                   std::function<void(const std::string& why)> wait)
      : launcher_(launcher),
        device_(device),
        policy_(policy),
        recorded_(recorded),
        clock_(std::move(clock)),
        wait_(std::move(wait)) {}

  /// Looks at the device and measures its ceilings, a few times while it is unfit.
  void admit();
  /// Why it is unfit; nothing where it is fit.
  [[nodiscard]] const std::optional<std::string>& why_unfit() const { return why_unfit_; }
  /// What admit() measured last; of another status than kMeasured where that failed.
  [[nodiscard]] const WorkerReport& machine() const { return machine_; }
  [[nodiscard]] const DeviceHealth& health() const { return health_; }

  /// Measures the ceilings once more where that costs less than a twentieth of the time. What a
  /// baseline says of the machine is compared with for years, and a single measurement may fall
  /// into a moment when others use it.
  void measure_again_if_due();
  /// Measures the ceilings until there are enough for a median.
  void complete_measurements();
  /// The median of each ceiling.
  [[nodiscard]] CeilingRates usual() const;

 private:
  void measure_again();
  [[nodiscard]] std::optional<std::string> why_unlike_recorded() const;

  Launcher& launcher_;
  const Device& device_;
  const Policy& policy_;
  const Baseline* recorded_;
  std::function<Seconds()> clock_;
  std::function<void(const std::string&)> wait_;
  std::optional<std::string> why_unfit_;
  WorkerReport machine_;
  DeviceHealth health_;
  std::vector<CeilingRates> measured_;
  Seconds next_{0};  ///< on the clock
};

}  // namespace perfgate
