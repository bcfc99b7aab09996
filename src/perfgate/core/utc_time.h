#pragma once
// Times as files have them: ISO 8601, UTC.

#include <chrono>
#include <optional>
#include <string>

namespace perfgate {

/// Of "2026-11-27T23:59:59Z"; nothing where that is no time.
std::optional<std::chrono::sys_seconds> utc_time(const std::string& text);

}  // namespace perfgate
