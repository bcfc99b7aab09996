#pragma once
// JSON for people and for version control: what a reviewer reads in a baseline's diff.

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace perfgate {

/// Sorted keys, two-space indent, values that fit into so many columns on one line, longer lists of
/// numbers filled to that width, doubles rounded to six significant digits, a final newline: a
/// small change is a small diff.
/// What is not UTF-8 is replaced by U+FFFD.
/// Throws std::invalid_argument on NaN or infinity, which JSON cannot say.
std::string dump_readable(const nlohmann::json& value, std::size_t columns = 100);

/// As nlohmann's dump, of plain texts (core/plain_text.h): no text can make it throw.
std::string dump_plain(nlohmann::json value, int indent = -1);

}  // namespace perfgate
