#pragma once
// The lock of a device: two runs on one would measure each other.

#include <filesystem>
#include <string>

namespace perfgate {

/// Any user may hold it, so it lies in /tmp, whatever TMPDIR says, or in the folder that
/// PERFGATE_LOCK_DIR names, where all users of the machine agree to have it. `device`: the
/// device's.
std::filesystem::path device_lock_path(const std::string& device_id);

}  // namespace perfgate
