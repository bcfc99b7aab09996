// The CSV of experiments of PyTorch's gpt_fast benchmark.

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "perfgate/core/errors.h"
#include "perfgate/report/derived.h"
#include "perfgate/report/export.h"

namespace perfgate {
namespace {

// Where the benchmark's experiments are measured here.
struct Experiment {
  const char* name;
  const char* dtype;
  const char* key;
  bool is_model;
};

constexpr Experiment kExperiments[] = {
    {"Llama-2-7b-chat-hf", "bfloat16", "language_models/llama2_7b/bf16/compiled_graph/decode",
     true},
    {"Llama-2-7b-chat-hf", "int8", "language_models/llama2_7b/int8/compiled_graph/decode", true},
    {"Mixtral-8x7B-v0.1", "int8", "language_models/mixtral_8x7b/int8/compiled_graph/decode", true},
    {"layer_norm", "bfloat16", "gpt_fast/layer_norm/fp32w/compiled", false},
    {"gather_gemv", "int8", "gpt_fast/gather_gemv/int8/compiled", false},
    {"gather_gemv", "bfloat16", "gpt_fast/gather_gemv/bf16/compiled", false},
    {"gemv", "int8", "gpt_fast/gemv/int8/compiled", false},
    {"gemv", "bfloat16", "gpt_fast/gemv/bf16/compiled", false},
};

struct MetricName {
  Unit unit;
  const char* name;
};
constexpr MetricName kMetrics[] = {{Unit::kTokensPerS, "token_per_sec"},
                                   {Unit::kGbPerS, "memory_bandwidth(GB/s)"}};

std::optional<double> target_of(const std::vector<Published>& published, const std::string& key,
                                Unit unit) {
  for (const auto& file : published) {
    const auto values = file.values.find(key);
    if (values == file.values.end()) {
      continue;
    }
    const auto found = std::find_if(values->second.begin(), values->second.end(),
                                    [unit](const auto& value) { return value.unit == unit; });
    if (found != values->second.end()) {
      return found->value;
    }
  }
  return std::nullopt;
}

}  // namespace

std::string gpt_fast_csv_text(const ExportInput& input) {
  const auto here = rates_by_published_key(input.night.outcomes);
  const std::string& device = input.night.info.device.kind;
  std::string rows;
  for (const auto& experiment : kExperiments) {
    for (const auto& [unit, metric] : kMetrics) {
      const auto found = here.find({experiment.key, unit});
      const auto target = target_of(input.published, experiment.key, unit);
      if (found != here.end() && target) {
        rows += fmt::format("{},{},{},{:.2f},{},{},{}\n", experiment.name, metric, *target,
                            found->second, experiment.dtype, device,
                            experiment.is_model ? "True" : "False");
      }
    }
  }
  if (rows.empty()) {
    throw UsageError("the results have none of the benchmark's experiments",
                     "measure them with --family=gpt_fast and --family=language_models on a GPU");
  }
  return "name,metric,target,actual,dtype,device,is_model\n" + rows;
}

}  // namespace perfgate
