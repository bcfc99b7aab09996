#pragma once
// The history of nights: one line a case and night, which only grows (the log of
// run/night/night_log.h keeps what the next night needs, and forgets). In it a CUSUM finds what
// creeps, and people find how a case got where it is.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "perfgate/core/files.h"
#include "perfgate/gate/case_night.h"

namespace perfgate {

/// `<folder>/<model>.nights.jsonl`, the model named as baselines are.
std::filesystem::path night_history_path(const std::filesystem::path& folder,
                                         const std::string& model);

/// Adds a line for each, under the file's lock. Returns what a killed writer had left of a line,
/// which is cut off; mostly nothing. Throws SystemError where it cannot be written.
std::string append_nights(const std::filesystem::path& path, const std::vector<CaseNight>& nights,
                          FileCalls& calls);

/// Each night of the file in the order of its lines; none where there is no file. A last line
/// without a newline is one that somebody is still writing, or was killed at: it is left out.
/// Returns which lines were skipped, as one that says it to people, because a number of theirs is
/// infinite or none; mostly nothing. Throws UsageError naming file, line and reason where one is
/// malformed otherwise.
std::string for_each_night(const std::filesystem::path& path,
                           const std::function<void(const CaseNight&)>& visit);

}  // namespace perfgate
