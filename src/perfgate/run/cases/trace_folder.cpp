#include "perfgate/run/cases/trace_folder.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "perfgate/core/errors.h"
#include "perfgate/core/folders.h"
#include "perfgate/process/worker_interface.h"

namespace perfgate {

namespace fs = std::filesystem;

fs::path folder_of_traces(const fs::path& results) {
  fs::path out = fs::absolute(results);
  return out.replace_extension(".traces");
}

fs::path make_trace_folder(const fs::path& results) {
  constexpr const char* kAdvice =
      "make it a folder that can be written, or name another one with --results";
  const fs::path folder = folder_of_traces(results);
  create_folders(folder, kAdvice);
  if (::access(folder.c_str(), W_OK) != 0) {
    throw SystemError("cannot write to " + folder.string() + ": " + std::strerror(errno), kAdvice);
  }
  return folder;
}

fs::path trace_path(const fs::path& folder, const std::string& case_key) {
  return folder / (case_key + ".json");
}

std::string trace_folder_text(const fs::path& results) {
  const fs::path folder = folder_of_traces(results);
  return fs::is_directory(folder) && !fs::is_empty(folder)
             ? "Chrome traces, for https://ui.perfetto.dev: " + folder.string() + "\n"
             : "";
}

void require_traces(const std::vector<Outcome>& outcomes) {
  std::string cases;
  std::string reason;
  for (const auto& outcome : outcomes) {
    for (const auto& report : outcome.reports) {
      const auto why = report.environment.find(kNoChromeTrace);
      if (why != report.environment.end()) {
        cases += (cases.empty() ? "" : ", ") + outcome.case_key;
        reason = reason.empty() ? why->second : reason;
      }
    }
  }
  if (!cases.empty()) {
    throw SystemError("no Chrome trace of " + cases + ": " + reason, "");
  }
}

}  // namespace perfgate
