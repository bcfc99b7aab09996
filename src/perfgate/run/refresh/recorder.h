#pragma once
// What a refresh keeps of its cases (refresh/entry.h says what becomes of each), and at the end,
// all of it in one writing.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "perfgate/baseline/record.h"
#include "perfgate/baseline/store.h"
#include "perfgate/gate/outcome.h"
#include "perfgate/gate/policy.h"
#include "perfgate/run/cli/options.h"

namespace perfgate {

class Recorder {
 public:
  /// Borrows everything. `baseline`: what the file at `path` held when the run began. `tonight`:
  /// the session that is recorded, complete once the machine has been measured.
  Recorder(const Refresh& wanted, const Policy& policy, const Baseline& baseline,
           const std::filesystem::path& path, const SessionRecord& tonight, FileCalls& files)
      : wanted_(wanted),
        policy_(policy),
        baseline_(baseline),
        path_(path),
        tonight_(tonight),
        files_(files) {}

  /// Says in `outcome` what becomes of the session of a case that was decided so, and keeps it.
  void consider(Outcome& outcome);

  /// Refuses whatever was kept, for this reason, and says so in the outcomes.
  void refuse_all(const std::string& reason, std::vector<Outcome>& outcomes);

  /// Adds what was kept to the baseline file as it is now. Throws SystemError when it cannot be
  /// written; it is as before then.
  void write();

  [[nodiscard]] bool keeps_nothing() const { return kept_.empty() && kept_tunings_.empty(); }

 private:
  void verify(const Baseline& file) const;

  const Refresh& wanted_;
  const Policy& policy_;
  const Baseline& baseline_;
  const std::filesystem::path& path_;
  const SessionRecord& tonight_;
  FileCalls& files_;
  std::vector<CaseSession> kept_;
  PackageTunings kept_tunings_;  ///< of sessions that are not kept themselves
};

}  // namespace perfgate
