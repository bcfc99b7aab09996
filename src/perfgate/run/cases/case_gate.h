#pragma once
// How one case is measured and judged: one screening worker, and a full session of five where it
// looks changed, either way, which alone decides. Nothing is repeated until it is green: a change
// that others on the machine may have made is measured twice more, and all of these sessions count
// together.

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "perfgate/device/device.h"
#include "perfgate/gate/decide.h"
#include "perfgate/gate/policy.h"
#include "perfgate/process/launcher.h"

namespace perfgate {

/// What a case gate works with. Borrows everything.
struct CaseGateTools {
  Launcher& launcher;
  const Device& device;
  const Policy& policy;
  /// Waits before an attempt that follows one for this reason.
  std::function<void(const std::string& why)> wait;
  /// The verdict on these reports.
  std::function<Outcome(const std::vector<WorkerReport>&)> judge;
};

class CaseGate {
 public:
  /// `inject_percent`: see WorkerRequest. `baseline`: whose tunings workers are told, and whose
  /// controls are compared. Borrows both `tools`' members and `baseline`.
  CaseGate(CaseGateTools tools, const Baseline& baseline, double inject_percent)
      : tools_(std::move(tools)), baseline_(baseline), inject_percent_(inject_percent) {}

  /// The machine's own ceilings, measured tonight.
  void use_ceilings(CeilingRates ceilings) { ceilings_ = std::move(ceilings); }

  /// From now on the first worker of a session writes its case's Chrome trace to this folder.
  void write_traces(std::filesystem::path folder) { traces_ = std::move(folder); }

  /// The cases in the order in which they will probably be gated: a worker prepares the next one
  /// while another checks its numbers.
  void expect(std::vector<std::string> case_keys) { expected_ = std::move(case_keys); }

  /// Gates one case.
  Outcome gate(const std::string& case_key);
  /// Judges a case once more, now that the judge knows more than it did, and measures a session of
  /// it where one worker does not decide that. Where the device is not fit any more the first
  /// outcome stands, and its message says so.
  Outcome look_again(const Outcome& before);
  /// Measures a full session of one case, for a refresh, and says what the judge finds.
  Outcome record(const std::string& case_key);

  /// Why the device is not ours alone, or not fit; nothing where it is. A worker cannot tell
  /// another tenant from its own successor, so this is asked while none runs.
  std::optional<std::string> why_not_exclusive();

 private:
  /// What a worker of this case is asked for; with `check`, the first one of a session.
  WorkerRequest request_for(const std::string& case_key, bool check);
  WorkerReport launch(const std::string& case_key, bool check);
  /// Says that another worker of this case comes behind the next launch.
  void expect_another(const std::string& case_key);
  /// Says that the next case does.
  void expect_case_behind(const std::string& case_key);
  /// When a session ends: when it is full, or as soon as others have disturbed most of it, which is
  /// not recorded.
  enum class Until { kFull, kDisturbed };
  std::vector<WorkerReport> session(const std::string& case_key, Until until);
  Outcome judged(const std::vector<WorkerReport>& reports);
  Outcome screened(const std::string& case_key);
  Outcome with_more_sessions(const Outcome& suspect);
  Outcome beside_its_control(Outcome passed);

  CaseGateTools tools_;
  const Baseline& baseline_;
  double inject_percent_;
  CeilingRates ceilings_;
  std::filesystem::path traces_;           ///< empty: none are written
  std::vector<std::string> expected_;      ///< in their order
  std::map<std::string, Tuning> tunings_;  ///< by case: the baseline's, or what this run found
};

}  // namespace perfgate
