#pragma once
// The cases of the catalogue that a run is of.

#include <string>
#include <vector>

#include "perfgate/backends/backend.h"
#include "perfgate/run/cli/options.h"

namespace perfgate {

/// The keys that are selected: where --missing, --recorded or --learning asks for that, of those
/// that the device's baseline does not have, has, or has one or two sessions of this device of.
/// Throws as selected_keys does, and UsageError for a malformed baseline.
std::vector<std::string> selected_cases(const Options& options, const Backend& backend);

/// For lists: without --case everything, not only what is a night's, unless one of these flags
/// asks for less.
std::vector<std::string> listed_cases(const Options& options, const Backend& backend);

/// Key of the case that this one is compared with, or empty.
std::string compared_with(const std::string& key);

}  // namespace perfgate
