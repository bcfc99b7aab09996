#pragma once
// A case's key (`gpt_fast/gemv/int8/D8192/compiled`) is its name for people, files and flags. Only
// GoogleTest needs another one, since it allows letters, digits and `_` alone.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perfgate {

/// The key's first word: `gpt_fast`.
std::string family_of(std::string_view key);

/// The key as GoogleTest parameter name: every other character becomes `_`.
std::string test_name_of(std::string_view key);

/// The globs of a list that separates them by commas, which no key holds.
std::vector<std::string> globs_of(const std::string& list);

/// Whether one of these globs matches the whole key, as a shell does; `*` also matches `/`.
bool matches_glob(const std::string& key, const std::string& globs);

/// The key without its shape word (`D8192`, `k2560`, `mn4096`, `512x64`), or nothing when it has
/// none.
std::optional<std::string> shape_group(const std::string& case_key);

/// A key names files, whose names the file system limits to 255 bytes; some add to the key.
constexpr std::size_t kLongestKey = 160;

/// Words separated by single `/`, each of letters, digits, `_`, `-`, `.`, and none of them `.` or
/// `..`; of at most kLongestKey characters.
bool is_valid_key(std::string_view key);

/// Throws UsageError on a key that is not valid, on one that GoogleTest takes for disabled, and on
/// two that are the same or make one name for GoogleTest, which would abort and name neither.
void require_distinct_keys(const std::vector<std::string>& keys);

}  // namespace perfgate
