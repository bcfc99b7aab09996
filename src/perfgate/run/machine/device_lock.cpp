#include "perfgate/run/machine/device_lock.h"

#include <cstdlib>

#include "perfgate/model/case_key.h"

namespace perfgate {

std::filesystem::path device_lock_path(const std::string& device_id) {
  const char* folder = std::getenv("PERFGATE_LOCK_DIR");
  return std::filesystem::path(folder == nullptr || *folder == '\0' ? "/tmp" : folder) /
         ("perfgate-" + test_name_of(device_id) + ".lock");
}

}  // namespace perfgate
