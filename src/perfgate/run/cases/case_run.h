#pragma once
// A run over cases, as a night and a refresh have it in common: it opens the machine, has each case
// measured, keeps and shows the outcomes, and writes them. What is done with each case, and what
// follows behind them, a night says itself (night/night_run.h), and so does a refresh
// (refresh/refresh_run.h).

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "perfgate/device/device.h"
#include "perfgate/gate/judge.h"
#include "perfgate/process/launcher.h"
#include "perfgate/report/run.h"
#include "perfgate/report/table.h"
#include "perfgate/run/cases/case_gate.h"
#include "perfgate/run/cases/gate_settings.h"
#include "perfgate/run/cases/night_progress.h"
#include "perfgate/run/cases/results_log.h"
#include "perfgate/run/cli/console.h"
#include "perfgate/run/machine/machine_admission.h"

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

class CaseRun {
 public:
  CaseRun(const CaseRun&) = delete;  // its parts borrow from it
  CaseRun& operator=(const CaseRun&) = delete;
  virtual ~CaseRun() = default;

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

  /// What is measured and judged once more when each case has been, before the failures are told.
  virtual void behind_cases() = 0;

  /// Judges or records what the cases come to together, and writes the results and the summary.
  /// `tests_passed`: whether GoogleTest found nothing else that failed. Returns the exit code.
  /// Throws, behind the summary, where something could not be written.
  ExitCode finish(bool tests_passed = true);

  /// What has been gated so far.
  [[nodiscard]] const Run& run() const { return run_; }

 protected:
  /// Reads policy and baselines, and writes nothing. Throws UsageError when one is malformed.
  CaseRun(GateSettings settings, GateTools tools);

  /// Throws where what the run leaves behind its results could not be written.
  virtual void require_what_follows() = 0;
  /// Measures a case on a fit machine.
  virtual Outcome measure(const std::string& case_key) = 0;
  /// Says of a measured case what the run alone knows.
  virtual void complete(Outcome& outcome) const = 0;
  /// What comes behind each case.
  virtual Outcome keep(Outcome outcome) = 0;
  /// What the cases come to together.
  virtual void conclude() = 0;
  /// What is written behind the results; says whether they are to be written once more.
  virtual bool write_what_follows() = 0;
  /// What the summary begins with.
  [[nodiscard]] virtual std::string closing_text() const = 0;
  /// The verdict on these reports.
  [[nodiscard]] virtual Outcome judge(const std::vector<WorkerReport>& reports) const = 0;

  CaseGateTools case_gate_tools();
  /// Adds what the run says of what was measured.
  [[nodiscard]] Outcome completed(Outcome outcome) const;
  void write_results_if_due();
  /// Prints its line, and keeps it.
  void add(Outcome outcome);
  /// Replaces an outcome, and prints its line again where verdict or reason differ.
  void replace(std::size_t place, Outcome outcome);
  std::optional<std::string> why_unfit_at_the_end();
  [[nodiscard]] const Baseline& baseline() const { return judge_.baseline(); }
  [[nodiscard]] const std::string& device_id() const { return run_.info.session.device_id; }

  GateSettings settings_;
  GateTools tools_;
  Policy policy_;
  std::filesystem::path baseline_path_;
  Judge judge_;
  CaseGate cases_;
  Run run_;
  MachineAdmission machine_;

 private:
  void wait(const std::string& why);
  Outcome measured(const std::string& case_key);
  /// Of what start() was told, what has no outcome.
  [[nodiscard]] std::vector<std::string> not_run() const;
  [[nodiscard]] const Baseline* baseline_or_null() const;

  ResultsLog results_;
  Table table_;
  NightProgress night_;
  std::vector<std::string> selected_;  ///< what start() was told
  std::vector<int> numbers_;           ///< in the night, of each outcome
};

}  // namespace perfgate
