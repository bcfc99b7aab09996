#include "perfgate/report/export.h"

namespace perfgate {

const std::vector<ExportFormat>& export_formats() {
  static const std::vector<ExportFormat> formats = {
      {"github_action_benchmark", "github-action-benchmark, tool customSmallerIsBetter",
       github_action_benchmark_text},
      {"google_benchmark", "google/benchmark's compare.py", google_benchmark_text},
      {"junit", "test report viewers", junit_text},
      {"markdown", "step summaries, merge requests", markdown_text},
      {"openmetrics", "Prometheus and its kin", open_metrics_text},
  };
  return formats;
}

}  // namespace perfgate
