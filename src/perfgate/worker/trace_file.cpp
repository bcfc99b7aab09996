#include "perfgate/worker/trace_file.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "perfgate/core/errors.h"
#include "perfgate/core/files.h"
#include "perfgate/process/worker_interface.h"

namespace perfgate {
namespace {

void create_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    throw SystemError(
        "cannot create " + folder.string() + ": " + error.message(),
        "make its parent a folder that can be written, or name another with --results");
  }
}

}  // namespace

void write_trace_file(const std::string& file, const Executions& executions, WorkerReport& report) {
  if (std::all_of(executions.begin(), executions.end(),
                  [](const auto& execution) { return execution.second.empty(); })) {
    return;
  }
  try {
    const std::filesystem::path path(file);
    create_folder(path.parent_path());
    write_atomically(path, chrome_trace(report.case_key, executions));
  } catch (const Error& error) {
    report.environment[kNoChromeTrace] = error.what();
  }
}

}  // namespace perfgate
