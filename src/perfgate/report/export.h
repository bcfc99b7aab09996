#pragma once
// A night in the formats that other tools read. Each is written from the results alone, by a file
// of its own (export_<format>.cpp), so that a new one is one function and one line in the list.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "perfgate/gate/case_night.h"
#include "perfgate/report/derived.h"
#include "perfgate/report/run.h"

namespace perfgate {

/// What a format may write from.
struct ExportInput {
  const Run& night;
  const Baseline* baseline;                 ///< null where there is none
  bool baseline_required;                   ///< NO_BASELINE fails
  std::string file_name;                    ///< without its folder: some formats choose by it
  const std::vector<Published>& published;  ///< of the families of the night
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

/// JSON as google/benchmark's --benchmark_out writes it: one row a case and phase. real_time is the
/// median of the processes' times as read, cpu_time what the host took. Cases that were not timed
/// are left out.
std::string google_benchmark_text(const ExportInput& input);

/// JSON for github-action-benchmark's tool customSmallerIsBetter: times as read, in us.
std::string github_action_benchmark_text(const ExportInput& input);

/// OpenMetrics text exposition: gauges of time, utilisation, change, minimum detectable slowdown,
/// and the verdict as a state set.
std::string open_metrics_text(const ExportInput& input);

/// A page for a step summary or a merge request: what failed first, the whole table folded. What is
/// beyond the limit is left out in whole blocks and rows, and counted.
std::string markdown_text(const ExportInput& input);

/// One HTML file with all that it needs inside: what changed, worst first, each case with its
/// history over the nights, its processes, its kernels and the command that reproduces it.
std::string html_text(const ExportInput& input);

/// The table of PyTorch's benchmarks/sparse/benchmark_semi_structured_sparsity.py as its CSV, of
/// the one mode, dtype and backend that the file's name says: nvidia-bert_fp16_cusparselt.csv.
/// Throws UsageError on any other name, and where the results have no such case. The benchmark
/// writes its linear layers (-e2e) under the same name in a run of their own.
std::string sparse_csv_text(const ExportInput& input);
std::string sparse_linear_csv_text(const ExportInput& input);

/// The table of PyTorch's benchmarks/transformer/sdp.py, a row a shape, as CSV or for people.
/// Throws UsageError where the results have no case of the attention family.
std::string attention_csv_text(const ExportInput& input);
std::string attention_table_text(const ExportInput& input);

/// What PyTorch's benchmarks/fastrnns prints: its table, and the JSON of --print-json=oss and pep.
/// All in milliseconds, on a CPU too. What the benchmark has once an iteration stands here once a
/// process: pep's values, and the deviation, which is not a number where one process was enough.
/// Throws UsageError where the results have no case of the fastrnns family.
std::string fastrnns_table_text(const ExportInput& input);
std::string fastrnns_oss_text(const ExportInput& input);
std::string fastrnns_pep_text(const ExportInput& input);

/// The CSV of PyTorch's benchmarks/gpt_fast, a row an experiment and metric, with its own targets.
/// Models are those of compiled_graph, and their rates those of decode alone, by the device's
/// clock; the benchmark divides its tokens by the host's time of prefill and decode. Left out are
/// its compile times, and mlp_layer_norm_gelu, whose metric multiplies time by operations. Throws
/// UsageError where the results have none of its experiments.
std::string gpt_fast_csv_text(const ExportInput& input);

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
