#pragma once
// A night in the formats that show its verdicts, by a file each (export_<format>.cpp), so that a
// new one is one function and one line in the list. Formats that show measurements alone, as other
// benchmarks do, are ctest/export.py's: it needs nothing but the results.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "perfgate/gate/case_night.h"
#include "perfgate/report/run.h"

namespace perfgate {

/// What a format may write from.
struct ExportInput {
  const Run& night;
  const Baseline* baseline;                         ///< null where there is none
  bool baseline_required;                           ///< NO_BASELINE fails
  const std::vector<CaseNight>* history = nullptr;  ///< of nights, where the format needs them
  std::optional<std::size_t> limit = std::nullopt;  ///< of bytes, instead of the format's own
};

/// Of what may be asked for as a limit: a headline fits.
constexpr std::size_t kLeastLimit = 512;
/// What GitHub takes as a comment, and the page's own limit.
constexpr std::size_t kMarkdownLimit = 65536;
/// Of the text of one failure, in whatever format: fifty lines of a failure have less.
constexpr std::size_t kLongestFailure = 16384;

struct ExportFormat {
  std::string name;   ///< as --export=NAME:FILE has it
  std::string about;  ///< who reads it
  std::string (*text_of)(const ExportInput& input);
  bool needs_history = false;
  bool has_limit = false;  ///< --export=NAME:FILE:LIMIT sets another one
};

/// Every format, in the order of their names.
const std::vector<ExportFormat>& export_formats();

/// A suite a family, a testcase a case: what fails perfgate fails here, with the same text, of
/// which kLongestFailure bytes stand here at most. With a limit, cases that passed are left out
/// first.
std::string junit_text(const ExportInput& input);

/// OpenMetrics text exposition: gauges of time, utilisation, change, minimum detectable slowdown,
/// and the verdict as a state set.
std::string open_metrics_text(const ExportInput& input);

/// A page for a step summary or a merge request: what failed first, the whole table folded. What is
/// beyond the limit is left out in whole blocks and rows, and counted.
std::string markdown_text(const ExportInput& input);

/// One HTML file with all that it needs inside: what changed, worst first, each case with its
/// history over the nights, its processes, its kernels and the command that reproduces it.
std::string html_text(const ExportInput& input);

/// For people: of each case and phase the kernels that its trace shows, with category, count, time,
/// share, registers, spills, shared memory, grid and block, the totals of each category, how busy
/// the GPU is, and a line to tabulate, as Inductor's benchmark of compiled modules prints them.
/// Throws UsageError where no case was traced.
std::string profile_text(const ExportInput& input);
/// The same; empty where no case was traced.
std::string profile_text(const std::vector<Outcome>& outcomes);

/// What CTest takes from a test's output into Test.xml: <CTestMeasurement> a case.
std::string ctest_measurements(const std::vector<Outcome>& outcomes);

}  // namespace perfgate
