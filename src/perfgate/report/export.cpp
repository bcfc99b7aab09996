#include "perfgate/report/export.h"

namespace perfgate {

const std::vector<ExportFormat>& export_formats() {
  static const std::vector<ExportFormat> formats = {
      {"attention_csv", "the columns of PyTorch's transformer/sdp.py", attention_csv_text},
      {"attention_table", "the same for people", attention_table_text},
      {"fastrnns_oss", "PyTorch's fastrnns, --print-json=oss", fastrnns_oss_text},
      {"fastrnns_pep", "PyTorch's fastrnns, --print-json=pep", fastrnns_pep_text},
      {"fastrnns_table", "the table of PyTorch's fastrnns", fastrnns_table_text},
      {"github_action_benchmark", "github-action-benchmark, tool customSmallerIsBetter",
       github_action_benchmark_text},
      {"google_benchmark", "google/benchmark's compare.py", google_benchmark_text},
      {"gpt_fast_csv", "the experiments of PyTorch's gpt_fast", gpt_fast_csv_text},
      {"html", "browsers: a page of its own, with the history of nights", html_text, true},
      {"junit", "test report viewers", junit_text, false, true},
      {"markdown", "step summaries, merge requests", markdown_text, false, true},
      {"openmetrics", "Prometheus and its kin", open_metrics_text},
      {"profile", "people: each case's kernels by category", profile_text},
      {"sparse_csv",
       "the columns of PyTorch's sparse/benchmark_semi_structured_sparsity.py, FILE being "
       "nvidia-bert_fp16_cusparselt.csv and so on",
       sparse_csv_text},
      {"sparse_linear_csv", "the same of its linear layers (-e2e)", sparse_linear_csv_text},
  };
  return formats;
}

}  // namespace perfgate
