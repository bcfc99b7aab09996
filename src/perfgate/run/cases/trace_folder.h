#pragma once
// Where --profile leaves the cases' Chrome traces: in a folder beside the run's results file.

#include <filesystem>
#include <string>
#include <vector>

#include "perfgate/gate/outcome.h"

namespace perfgate {

/// "<name of the results file>.traces", as an absolute path.
std::filesystem::path folder_of_traces(const std::filesystem::path& results);

/// The same, created. Throws SystemError where it cannot be, or cannot be written to.
std::filesystem::path make_trace_folder(const std::filesystem::path& results);

/// The file of a case, whose key is valid: slashes are folders.
std::filesystem::path trace_path(const std::filesystem::path& folder, const std::string& case_key);

/// Where they are, in a line; empty where there are none.
std::string trace_folder_text(const std::filesystem::path& results);

/// Throws SystemError naming the cases whose worker could not write the trace that it was asked
/// for, and the first one's reason.
void require_traces(const std::vector<Outcome>& outcomes);

}  // namespace perfgate
