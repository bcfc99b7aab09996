#pragma once
// The parent's half: admits the machine, has each case gated (or recorded), keeps the run's
// outcomes, and at the end records or reports.

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "perfgate/device/device.h"
#include "perfgate/gate/learned_baseline.h"
#include "perfgate/process/launcher.h"
#include "perfgate/report/run.h"
#include "perfgate/report/table.h"
#include "perfgate/run/cli/console.h"
#include "perfgate/run/cli/options.h"
#include "perfgate/run/machine/machine_admission.h"
#include "perfgate/run/night/case_gate.h"
#include "perfgate/run/night/gate_settings.h"
#include "perfgate/run/night/memory.h"
#include "perfgate/run/night/night_progress.h"
#include "perfgate/run/night/results_log.h"
#include "perfgate/run/refresh/recorder.h"

namespace perfgate {

/// What it works with. Borrows what is a reference.
struct GateTools {
  const Device& device;
  Launcher& launcher;
  Console& console;
  FileCalls& files;
  std::function<void(Seconds)> sleep;
  std::function<Seconds()> clock;
};

class Gatekeeper {
 public:
  /// Reads policy and baselines, and writes nothing. Throws UsageError when one is malformed.
  Gatekeeper(GateSettings settings, GateTools tools);
  Gatekeeper(const Gatekeeper&) = delete;  // its parts borrow from it
  Gatekeeper& operator=(const Gatekeeper&) = delete;

  /// Writes the first, empty results, and creates the folder of traces; so that a folder that
  /// cannot be written is known before an hour is spent. Throws SystemError for such a one, and for
  /// a baseline that is to be refreshed and cannot be.
  void require_writable();

  /// The file of the run's results.
  [[nodiscard]] const std::filesystem::path& results() const { return results_.path(); }

  /// Measures the machine and prints the heading, where that has not been done in this night.
  /// `case_keys`: what is going to be run; what is not gated in the end is told as not run.
  void start(const std::vector<std::string>& case_keys);

  /// The cases in the order in which gate() will probably be called.
  void expect(std::vector<std::string> case_keys) { cases_.expect(std::move(case_keys)); }

  /// Gates (or, refreshing, records) one case and prints its line.
  Outcome gate(const std::string& case_key);

  /// What the failing case says.
  [[nodiscard]] std::string explain(const Outcome& outcome) const;
  /// What all of them say; an ERROR that many cases share is said once.
  [[nodiscard]] std::vector<std::string> explain(const std::vector<const Outcome*>& failures) const;

  /// Cases of the baseline that no longer exist are LOST. `is_ours`: whether this run looks after a
  /// key. `is_declared`: whether a key still exists.
  void look_for_lost(const std::function<bool(const std::string& key)>& is_ours,
                     const std::function<bool(const std::string& key)>& is_declared);

  /// On a device that the baseline does not know, judges each case once more, beside the others
  /// (gate/second_look.h), and prints the lines of those whose verdict or reason changed.
  void look_again();

  /// Gates the day's canaries (run/night/canary_round.h), where there are to be any.
  void gate_canaries();

  /// Writes the baseline when refreshing, the results and the summary. `tests_passed`: whether
  /// GoogleTest found nothing else that failed. Returns the exit code. Throws SystemError, behind
  /// the summary, where results or history could not be written.
  ExitCode finish(bool tests_passed = true);

  /// What has been gated so far.
  [[nodiscard]] const Run& run() const { return run_; }

 private:
  CaseGateTools case_gate_tools();
  Outcome measured(const std::string& case_key);
  /// Adds what the run and the nights before it say of what was measured.
  Outcome completed(Outcome outcome) const;
  void wait(const std::string& why);
  /// What this night leaves for later ones, and what they together show.
  void look_over_nights();
  void write_results_if_due();
  /// Of what start() was told, what has no outcome.
  [[nodiscard]] std::vector<std::string> not_run() const;
  /// Prints its line, and keeps it.
  void add(Outcome outcome);
  std::optional<std::string> why_unfit_at_the_end();
  void record_session();
  [[nodiscard]] std::filesystem::path night_history() const;
  [[nodiscard]] const Baseline& baseline() const { return learned_.baseline(); }
  [[nodiscard]] const Baseline* baseline_or_null() const;
  [[nodiscard]] const std::string& device_id() const { return run_.info.session.device_id; }

  GateSettings settings_;
  GateTools tools_;
  Policy policy_;
  std::filesystem::path baseline_path_;
  LearnedBaseline learned_;
  Memory memory_;
  CaseGate cases_;
  std::optional<SiblingChanges> siblings_;  ///< of the night, once it is over
  Run run_;
  Recorder recorder_;
  MachineAdmission machine_;
  ResultsLog results_;
  Table table_;
  NightProgress night_;
  std::vector<std::string> selected_;  ///< what start() was told
  std::vector<int> numbers_;           ///< in the night, of each outcome
};

}  // namespace perfgate
