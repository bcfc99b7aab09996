#pragma once
// A results file, as the benchmarks read it.

#include <filesystem>
#include <nlohmann/json.hpp>

#include "perfgate/core/files.h"
#include "perfgate/core/json.h"
#include "perfgate/report/results_json.h"

namespace perfgate {

/// Throws UsageError naming file, place and reason.
inline Run read_run(const std::filesystem::path& file) {
  constexpr std::size_t kMaxBytes = std::size_t{1} << 30;  // a session of 1200 cases is 0.1
  const auto document = parse_strict(read_file(file, kMaxBytes), file.string(), {kMaxBytes});
  Run out = run_from_json(JsonCursor(document, file.string()));
  out.source = file.string();
  return out;
}

}  // namespace perfgate
