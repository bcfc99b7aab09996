#pragma once
// Folders that are created where they are missing, and the one for temporary files.

#include <filesystem>
#include <string>

namespace perfgate {

/// Creates the folder and those around it, where they are not there. Throws SystemError, with that
/// advice.
void create_folders(const std::filesystem::path& folder, const std::string& advice);

/// The folder for temporary files, as LibTorch looks for it: TMPDIR, TMP, TEMP or TEMPDIR, else
/// /tmp.
std::filesystem::path folder_for_temporary_files();

/// Whether code in this folder cannot be run or loaded, because it is mounted noexec.
bool is_noexec(const std::filesystem::path& folder);

}  // namespace perfgate
