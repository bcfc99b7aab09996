#pragma once
// Folders that are created where they are missing.

#include <filesystem>
#include <string>

namespace perfgate {

/// Creates the folder and those around it, where they are not there. Throws SystemError, with that
/// advice.
void create_folders(const std::filesystem::path& folder, const std::string& advice);

}  // namespace perfgate
