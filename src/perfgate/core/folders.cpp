#include "perfgate/core/folders.h"

#include <sys/statvfs.h>

#include <cstdlib>
#include <system_error>

#include "perfgate/core/errors.h"

namespace perfgate {

void create_folders(const std::filesystem::path& folder, const std::string& advice) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    throw SystemError("cannot create " + folder.string() + ": " + error.message(), advice);
  }
}

std::filesystem::path folder_for_temporary_files() {
  for (const char* name : {"TMPDIR", "TMP", "TEMP", "TEMPDIR"}) {
    if (const char* value = std::getenv(name); value != nullptr) {
      return value;
    }
  }
  return "/tmp";
}

bool is_noexec(const std::filesystem::path& folder) {
  struct statvfs system {};
  return ::statvfs(folder.c_str(), &system) == 0 && (system.f_flag & ST_NOEXEC) != 0;
}

}  // namespace perfgate
