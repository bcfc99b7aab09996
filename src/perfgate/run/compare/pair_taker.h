#pragma once
// Takes pairs of fresh processes of two builds on one device, in the order ABBA, so that a machine
// that drifts slows both alike. No process of one build runs beside one of another.

#include <functional>
#include <map>
#include <set>
#include <string>

#include "perfgate/gate/paired.h"
#include "perfgate/gate/policy.h"
#include "perfgate/process/launcher.h"

namespace perfgate {

/// A build whose workers can be started. Borrows the launcher.
struct PairedBuild {
  Launcher& launcher;
  double inject_slowdown = 0;                  ///< percent
  std::map<std::string, Tuning> tunings = {};  ///< by case: what it searched for or was told
  std::set<std::string> checked = {};          ///< cases whose numbers were checked
};

class PairTaker {
 public:
  /// Borrows the policy. `wait`: called before a pair is taken again, with the reason.
  PairTaker(const Policy& policy, std::function<void(const std::string& why)> wait)
      : policy_(policy), wait_(std::move(wait)) {}

  /// What all processes are told of the device.
  void tell(CeilingRates ceilings) { ceilings_ = std::move(ceilings); }
  /// Adds a pair of the reports' case, but no half of one where it is interrupted. The first
  /// process of each build checks the case's numbers; what the older build searched for is told to
  /// the newer one, or two searches that ended otherwise would be compared.
  void add_pair(PairedReports& reports, PairedBuild& before, PairedBuild& now);

 private:
  WorkerReport launch(const std::string& case_key, PairedBuild& build);

  const Policy& policy_;
  std::function<void(const std::string&)> wait_;
  CeilingRates ceilings_;
  Launcher* last_ = nullptr;  ///< whose process may still leave the device
};

/// Whether there is nothing to be had from more pairs.
bool has_failed(const PairedReports& reports);

}  // namespace perfgate
