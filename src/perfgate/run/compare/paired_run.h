#pragma once
// Measures two builds on one device in pairs of fresh processes (run/compare/pair_taker.h). A round
// goes over all cases: the next look at those that are still undecided.

#include <functional>
#include <string>
#include <vector>

#include "perfgate/device/device.h"
#include "perfgate/gate/paired.h"
#include "perfgate/gate/policy.h"
#include "perfgate/process/launcher.h"
#include "perfgate/run/cli/console.h"
#include "perfgate/run/compare/pair_taker.h"

namespace perfgate {

/// What a comparison works with. Borrows what is a reference.
struct PairedTools {
  Launcher& before;  ///< of the older build
  Launcher& now;     ///< of the newer one
  const Device& device;
  const Policy& policy;
  /// Waits before a pair is taken again, for this reason.
  std::function<void(const std::string& why)> wait;
  /// Told of each case once its round is measured.
  std::function<void(const PairedReports& reports, int number, int total)> measured;
};

/// What a comparison is asked to do.
struct PairedSettings {
  int most_pairs = 0;          ///< of a case
  double inject_slowdown = 0;  ///< percent; in the newer build alone
  CeilingRates ceilings = {};  ///< of the device; both builds are told the same
};

/// What a comparison comes to that `selection`, of the environment, made partial, and says so;
/// `code` where that is empty.
ExitCode held_to_selection(ExitCode code, const std::string& selection, Console& console);

class PairedRun {
 public:
  PairedRun(PairedTools tools, PairedSettings settings)
      : tools_(std::move(tools)),
        settings_(std::move(settings)),
        taker_(tools_.policy, tools_.wait),
        before_{tools_.before},
        now_{tools_.now, settings_.inject_slowdown} {
    taker_.tell(settings_.ceilings);
  }

  /// Measures the cases and judges them, until all are decided or interrupted: then those that were
  /// not measured to the next look keep their last judgement, or are missing.
  void compare(const std::vector<std::string>& case_keys);

  /// By their order: what was measured of each case, and what is said of it.
  [[nodiscard]] const std::vector<PairedReports>& reports() const { return reports_; }
  [[nodiscard]] const std::vector<PairedOutcome>& outcomes() const { return outcomes_; }
  /// How many metrics share the false-alarm budget.
  [[nodiscard]] std::size_t metrics() const { return metrics_; }

 private:
  bool measure_to(PairedReports& reports, int pairs);
  void judge(const std::vector<std::size_t>& cases, std::size_t look);
  void doubt_changes(const std::vector<std::size_t>& cases);

  PairedTools tools_;
  PairedSettings settings_;
  PairTaker taker_;
  PairedBuild before_;
  PairedBuild now_;
  std::vector<PairedLook> looks_;
  std::vector<PairedReports> reports_;
  std::vector<PairedOutcome> outcomes_;
  std::size_t metrics_ = 0;
};

}  // namespace perfgate
