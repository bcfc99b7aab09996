#pragma once
// In what the sources of a case's compiled kernels differ from the recorded ones, as a file beside
// the results.

#include <filesystem>
#include <string>

#include "perfgate/baseline/baseline.h"
#include "perfgate/gate/outcome.h"

namespace perfgate {

/// Name of the folder, in that of the results.
constexpr const char* kSourceFolder = "sources";

/// Writes `<results>/sources/<case key>.diff`, a unified diff of each kernel whose source is
/// another one than when its case was recorded, and beside it both sources. Returns the file's
/// path, or why it could not be written; empty where no source differs, or where the recorded text
/// is not known, as of sessions before 2026-11-27.
std::string write_source_diff(const std::filesystem::path& results, const Outcome& outcome,
                              const Baseline& baseline);

}  // namespace perfgate
