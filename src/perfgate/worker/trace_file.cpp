#include "perfgate/worker/trace_file.h"

#include <algorithm>
#include <filesystem>

#include "perfgate/core/errors.h"
#include "perfgate/core/files.h"
#include "perfgate/core/folders.h"
#include "perfgate/process/worker_interface.h"

namespace perfgate {
void write_trace_file(const std::string& file, const Executions& executions, WorkerReport& report) {
  if (std::all_of(executions.begin(), executions.end(),
                  [](const auto& execution) { return execution.second.empty(); })) {
    return;
  }
  try {
    const std::filesystem::path path(file);
    create_folders(path.parent_path(),
                   "make its parent a folder that can be written, or name another with --results");
    write_atomically(path, chrome_trace(report.case_key, executions));
  } catch (const Error& error) {
    report.environment[kNoChromeTrace] = error.what();
  }
}

}  // namespace perfgate
