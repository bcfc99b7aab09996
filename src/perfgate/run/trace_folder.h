#pragma once
// Where --profile leaves the cases' Chrome traces: in a folder beside the results, which are the
// .json files of theirs.

#include <filesystem>
#include <string>
#include <vector>

#include "perfgate/gate/outcome.h"

namespace perfgate {

/// Name of the folder, in that of the results.
constexpr const char* kTraceFolder = "traces";

/// As an absolute path. Throws SystemError where it cannot be created or written to.
std::filesystem::path make_trace_folder(const std::filesystem::path& results);

/// The file of a case, whose key is valid: slashes are folders.
std::filesystem::path trace_path(const std::filesystem::path& folder, const std::string& case_key);

/// Where they are, in a line.
std::string trace_folder_text(const std::filesystem::path& results);

/// Throws SystemError where a worker could not write the one that it was asked for.
void require_traces(const std::vector<Outcome>& outcomes);

}  // namespace perfgate
