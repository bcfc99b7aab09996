#pragma once
// The results file of a run: written whole each time, so that there is a readable one at any
// moment, and not so often that writing costs more than measuring. Machines that share a folder,
// and containers whose process ids are the same few, never write over each other's.

#include <filesystem>
#include <functional>
#include <string>

#include "perfgate/core/files.h"
#include "perfgate/core/units.h"
#include "perfgate/report/run.h"

namespace perfgate {

class ResultsLog {
 public:
  /// Writes nothing yet. `folder`: created on the first writing. What the run is names the file:
  /// its start, family, shard, host and process. Borrows `files`.
  ResultsLog(const std::filesystem::path& folder, const RunInfo& info, FileCalls& files,
             std::function<Seconds()> clock);

  /// Writes the run. Throws SystemError where that cannot be done.
  void write(Run& run);
  /// Writes it unless writing took more than a twentieth of the time since the last one.
  void write_if_due(Run& run);

  /// Since this was made.
  [[nodiscard]] Seconds elapsed() const { return clock_() - started_; }
  /// The file's, which is ours alone once something is written.
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  /// Makes the file, under a name that nobody has.
  void claim();

  std::filesystem::path path_;
  FileCalls& files_;
  std::function<Seconds()> clock_;
  Seconds started_;
  bool claimed_ = false;
  Seconds next_{0};  ///< in elapsed()
};

}  // namespace perfgate
