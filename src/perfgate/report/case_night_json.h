#pragma once
// A case's night as a line of JSON (case_night.schema.json), and back. A year of a thousand series
// is 170 MB of such lines: one that looks as line_of writes it is read in one pass, without a
// document in between; any other, which people may have edited, as every strict JSON is.

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "perfgate/gate/case_night.h"

namespace perfgate {

constexpr int kCaseNightSchemaVersion = 1;

/// Compact, and ends in a newline.
std::string line_of(const CaseNight& night);

/// Whether the line of the night can be read again: its numbers are numbers, its texts plain.
bool is_readable(const CaseNight& night);

/// Reads lines one after another.
class CaseNightReader {
 public:
  /// `file`: named in errors.
  explicit CaseNightReader(std::string file) : file_(std::move(file)) {}

  /// The night of the line, which has no newline; valid until the next call. `number`: of the line,
  /// from 1. Nothing where one of its numbers is infinite or none, as was written once of a change
  /// without bounds: such a line says nothing of any other. Throws UsageError naming file, line,
  /// JSON pointer and reason where it is malformed otherwise.
  const CaseNight* read(std::string_view line, std::size_t number);

 private:
  bool read_canonical(std::string_view line);
  bool read_metrics(std::string_view& rest);
  std::optional<Metric> metric_of(std::string_view name);

  std::string file_;
  std::string run_;  ///< how the last line begins, up to its case: all of a run begin alike
  CaseNight night_;
  std::map<std::string, Metric, std::less<>> metrics_;  ///< by name, as far as they occurred
};

}  // namespace perfgate
