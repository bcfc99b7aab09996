#include "perfgate/core/folders.h"

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

}  // namespace perfgate
