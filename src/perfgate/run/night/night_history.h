#pragma once
// The history: all that nights leave behind, one line a case and night, in a file which only grows.
// In it a CUSUM finds what creeps, the next night finds what it has to know
// (run/night/past_nights.h), and people find how a case got where it is.

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

/// Throws UsageError where the folder of `path` is none and cannot be made, and SystemError where
/// no file can be written there.
void require_writable_history(const std::filesystem::path& path);

/// Adds a line for each, under the file's lock. Returns what is to be told of it, mostly nothing:
/// whose line could not be read again and is left out, and what a killed writer had left of a line,
/// which is cut off. Throws SystemError where it cannot be written.
std::string append_nights(const std::filesystem::path& path, const std::vector<CaseNight>& nights,
                          FileCalls& calls);

/// Each night of the file in the order of its lines; none where there is no file. A last line
/// without a newline is one that somebody is still writing, or was killed at: it is left out.
/// Returns which lines were skipped, as one that says it to people, because a number of theirs is
/// infinite or none; mostly nothing. Throws UsageError naming file, line and reason where one is
/// malformed otherwise.
std::string for_each_night(const std::filesystem::path& path,
                           const std::function<void(const CaseNight&)>& visit);

/// Adds the nights of the file that have figures to `nights`. Returns and throws as
/// for_each_night does.
std::string read_judged_nights(const std::filesystem::path& path, std::vector<CaseNight>& nights);

}  // namespace perfgate
