#pragma once
// Baselines on disk: a folder a device model, read strictly, written under a lock as a merge into
// what is there by then, so that two refreshes at once both count. A refresh changes several files
// and is whole or not at all: what it writes stands in one file first (journal.json), which counts
// from the moment that it is there and is gone once every other file has been replaced.

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "perfgate/baseline/baseline.h"
#include "perfgate/core/files.h"

namespace perfgate {

/// The model as a file name: every character that is not a letter, digit, `_`, `-` or `.` turned
/// into `_`.
std::string file_name_of(const std::string& model);

/// `<folder>/<model>`: "NVIDIA H200" is the folder NVIDIA_H200.
std::filesystem::path baseline_path(const std::filesystem::path& folder, const std::string& model);

/// What a writer of the baseline at `path` locks.
std::filesystem::path lock_path(std::filesystem::path path);

/// The baseline in the folder `path`, or nothing where there is none. Reads what a refresh that was
/// killed has begun as if it had ended, and waits for no writer.
/// Throws UsageError naming file, pointer and reason when it is malformed or of the form before
/// folders, SystemError when it is there and cannot be read.
std::optional<Baseline> load_baseline(const std::filesystem::path& path);

/// Loads the baseline under its lock (an empty one of `device` when there is none), lets `change`
/// alter it, reads back what would be written, lets `verify` refuse it by an exception, and
/// replaces those files that differ, all of them or none. Throws as load_baseline and
/// write_atomically do, UsageError when it is of another device; nothing has changed then, but for
/// a SystemError that says that what was recorded counts (see replace_files).
void update_baseline(
    const std::filesystem::path& path, const DeviceRecord& device,
    const std::function<void(Baseline&)>& change, FileCalls& calls,
    const std::function<void(const Baseline&)>& verify = [](const Baseline&) {});

/// Why this one case, as it would be recorded, could not be read again; nothing where it could.
std::optional<std::string> unreadable(const DeviceRecord& device, const std::string& case_key,
                                      const CaseRecord& record,
                                      const std::map<std::string, SessionRecord>& sessions);

}  // namespace perfgate
