#pragma once
// Documents as a bad disk, a bad merge or a bad editor leaves them.

#include <nlohmann/json_fwd.hpp>
#include <random>
#include <string>

namespace perfgate {

using Random = std::mt19937_64;

/// The document's text with one thing damaged: a value (changed, removed, doubled, swapped with
/// another, of another type or size), or, one time in four, the text itself. Reproducible.
std::string damaged(const nlohmann::json& document, Random& random);

}  // namespace perfgate
