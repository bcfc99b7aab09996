#pragma once
// Where workers put what lasts no longer than they do: LibTorch unpacks compiled packages there. A
// worker that is killed leaves its own behind, some hundred megabytes a package, and so its parent
// removes them, or the next run where that was killed as well.

#include <filesystem>
#include <optional>

#include "perfgate/core/folders.h"

namespace perfgate {

class ScratchFolder {
 public:
  /// Makes one in that folder, and removes those of runs that were killed. Where none can be made
  /// there is none, and workers use that folder itself.
  explicit ScratchFolder(const std::filesystem::path& where = folder_for_temporary_files());
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  [[nodiscard]] const std::optional<std::filesystem::path>& path() const { return path_; }
  /// Removes what is in it: only while no worker runs.
  void empty() const;

 private:
  std::optional<std::filesystem::path> path_;
  int lock_ = -1;  ///< held as long as this process lives, and by nobody else
};

}  // namespace perfgate
