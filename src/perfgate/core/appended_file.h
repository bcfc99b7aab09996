#pragma once
// A file of lines that only grows, and survives a crash: what a killed writer left of a line, or a
// full disk, costs that line and none before or behind it.

#include <filesystem>
#include <string>
#include <string_view>

#include "perfgate/core/files.h"

namespace perfgate {

/// Appends `lines`, each of which ends in a newline, and flushes them to the disk. What is there
/// behind the last newline, which somebody did not end to write, is cut off first and returned.
/// Throws SystemError where it cannot, and leaves the file with the whole lines that it had.
/// Writers of one path must exclude each other (see FileLock).
std::string append_lines(const std::filesystem::path& path, std::string_view lines,
                         FileCalls& calls);

}  // namespace perfgate
