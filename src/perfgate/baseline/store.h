#pragma once
// Baseline files on disk: found by device model, read strictly, written under a lock as a merge
// into what is there by then, so that two refreshes at once both count.

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "perfgate/baseline/baseline.h"
#include "perfgate/core/files.h"

namespace perfgate {

/// `<folder>/<model>.json` with every character of the model that is not a letter, digit, `_`, `-`
/// or `.` turned into `_`: "NVIDIA H200" is NVIDIA_H200.json.
std::filesystem::path baseline_path(const std::filesystem::path& folder, const std::string& model);

/// What a writer of the baseline at `path` locks.
std::filesystem::path lock_path(std::filesystem::path path);

/// The file's baseline, or nothing when there is no such file.
/// Throws UsageError naming file, pointer and reason when it is malformed, SystemError when it is
/// there and cannot be read.
std::optional<Baseline> load_baseline(const std::filesystem::path& path);

/// Loads the file under its lock (an empty baseline of `device` when there is none), lets `change`
/// alter it, reads back what would be written, lets `verify` refuse it by an exception, and
/// replaces the file atomically. Throws as load_baseline and write_atomically do, UsageError when
/// the file is of another device; the file is then unchanged.
void update_baseline(
    const std::filesystem::path& path, const DeviceRecord& device,
    const std::function<void(Baseline&)>& change, FileCalls& calls,
    const std::function<void(const Baseline&)>& verify = [](const Baseline&) {});

/// Why this one case, as it would be recorded, could not be read again; nothing where it could.
std::optional<std::string> unreadable(const DeviceRecord& device, const std::string& case_key,
                                      const CaseRecord& record,
                                      const std::map<std::string, SessionRecord>& sessions);

}  // namespace perfgate
