#pragma once
// The files of a baseline's folder: read as one state although others write, replaced as one
// although a writer may be killed between any two of them.

#include <filesystem>
#include <optional>

#include "perfgate/baseline/baseline_json.h"
#include "perfgate/core/files.h"

namespace perfgate {

/// Every file of the folder, as of one moment; nothing where there is no such folder, or none of
/// them in it. Throws as read_file does, and UsageError where a
/// file was changed since a refresh began that did not end.
std::optional<BaselineFiles> read_folder(const std::filesystem::path& folder);

/// Replaces those files that differ from `before`, which is what read_folder returned under the
/// lock that the caller holds. Makes the folder where there is none. Throws SystemError where
/// the journal cannot be written, and UsageError where it would be too large; nothing has changed
/// then. Once it is there all of it counts: a SystemError then says that not all files could be
/// replaced, which the next writer does.
void replace_files(const std::filesystem::path& folder, const BaselineFiles& before,
                   const BaselineFiles& after, FileCalls& calls);

}  // namespace perfgate
