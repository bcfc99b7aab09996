#include "perfgate/run/trace_folder.h"

#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "perfgate/core/errors.h"
#include "perfgate/process/worker_interface.h"

namespace perfgate {

namespace fs = std::filesystem;

fs::path make_trace_folder(const fs::path& results) {
  const fs::path folder = fs::absolute(results) / kTraceFolder;
  std::error_code error;
  fs::create_directories(folder, error);
  if (!error && ::access(folder.c_str(), W_OK) != 0) {
    error.assign(errno, std::generic_category());
  }
  if (error) {
    throw SystemError("cannot write Chrome traces to " + folder.string() + ": " + error.message(),
                      "make it a folder that can be written, or name another one with --results");
  }
  return folder;
}

fs::path trace_path(const fs::path& folder, const std::string& case_key) {
  return folder / (case_key + ".json");
}

std::string trace_folder_text(const fs::path& results) {
  return "Chrome traces, for https://ui.perfetto.dev: " + (results / kTraceFolder).string() + "\n";
}

void require_traces(const std::vector<Outcome>& outcomes) {
  for (const auto& outcome : outcomes) {
    for (const auto& report : outcome.reports) {
      const auto why = report.environment.find(kNoChromeTrace);
      if (why != report.environment.end()) {
        throw SystemError("no Chrome trace of " + outcome.case_key + ": " + why->second, "");
      }
    }
  }
}

}  // namespace perfgate
