#include "perfgate/report/export.h"

namespace perfgate {

const std::vector<ExportFormat>& export_formats() {
  static const std::vector<ExportFormat> formats = {
      {"html", "browsers: a page of its own, with the history of nights", html_text, true},
      {"junit", "test report viewers", junit_text, false, true},
      {"markdown", "step summaries, merge requests", markdown_text, false, true},
      {"openmetrics", "Prometheus and its kin", open_metrics_text},
      {"profile", "people: each case's kernels by category", profile_text},
  };
  return formats;
}

}  // namespace perfgate
