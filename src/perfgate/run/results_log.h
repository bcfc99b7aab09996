#pragma once
// The results file of a run: written whole each time, so that there is a readable one at any
// moment, and not so often that writing costs more than measuring.

#include <filesystem>
#include <functional>
#include <string>

#include "perfgate/core/files.h"
#include "perfgate/core/units.h"
#include "perfgate/report/run.h"

namespace perfgate {

class ResultsLog {
 public:
  /// Writes nothing yet. `folder`: created on the first writing. `started`: ISO 8601, UTC; with
  /// `family` it names the file. Borrows `files`.
  ResultsLog(const std::filesystem::path& folder, const std::string& started,
             const std::string& family, FileCalls& files, std::function<Seconds()> clock);

  /// Writes the run. Throws SystemError where that cannot be done.
  void write(Run& run);
  /// Writes it unless writing took more than a twentieth of the time since the last one.
  void write_if_due(Run& run);

  /// Since this was made.
  [[nodiscard]] Seconds elapsed() const { return clock_() - started_; }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  FileCalls& files_;
  std::function<Seconds()> clock_;
  Seconds started_;
  Seconds next_{0};  ///< in elapsed()
};

}  // namespace perfgate
