#pragma once
// In what the sources of a case's compiled kernels differ from the recorded ones, as a file beside
// the results.

#include <filesystem>
#include <string>

#include "perfgate/baseline/baseline.h"
#include "perfgate/gate/outcome.h"

namespace perfgate {

/// Beside a run's results file: "<name of the file>.sources".
std::filesystem::path folder_of_sources(const std::filesystem::path& results);

/// Writes `<folder>/<case key>.diff`, a unified diff of each kernel whose source is another one
/// than when its case was recorded, and beside it both sources. Kernels are compared by name: one
/// that its compiler calls otherwise is gone and new. Returns the file's path, or why it could not
/// be written; empty where no source differs, or where the recorded text is not known.
std::string write_source_diff(const std::filesystem::path& folder, const Outcome& outcome,
                              const Baseline& baseline);

}  // namespace perfgate
