#pragma once
// A worker's parameters as the tables of PyTorch's benchmarks show them.

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "perfgate/core/plain_text.h"
#include "perfgate/gate/outcome.h"

namespace perfgate {

/// As text on one line; empty where the case has no such parameter.
inline std::string parameter(const WorkerReport& report, const std::string& name) {
  const auto found = report.parameters.find(name);
  if (found == report.parameters.end()) {
    return "";
  }
  if (const auto* number = std::get_if<std::int64_t>(&found->second)) {
    return std::to_string(*number);
  }
  const auto* text = std::get_if<std::string>(&found->second);
  return text == nullptr ? "" : plain_line(*text);
}

/// In which row of its table the case stands; those that say nothing come last.
inline std::int64_t row_of_table(const WorkerReport& report) {
  const auto found = report.parameters.find("row");
  const auto* number =
      found == report.parameters.end() ? nullptr : std::get_if<std::int64_t>(&found->second);
  return number == nullptr ? std::numeric_limits<std::int64_t>::max() : *number;
}

/// Outcomes that a worker reported of, in the order of their table: shards end in any.
inline std::vector<const Outcome*> by_row(const std::vector<Outcome>& outcomes) {
  std::vector<const Outcome*> out;
  for (const auto& outcome : outcomes) {
    if (!outcome.reports.empty()) {
      out.push_back(&outcome);
    }
  }
  std::stable_sort(out.begin(), out.end(), [](const Outcome* a, const Outcome* b) {
    return row_of_table(a->reports.front()) < row_of_table(b->reports.front());
  });
  return out;
}

/// "torch.float16" for "fp16".
inline std::string torch_dtype(const std::string& name) {
  return name == "fp16"   ? "torch.float16"
         : name == "bf16" ? "torch.bfloat16"
         : name == "fp32" ? "torch.float32"
                          : "torch." + name;
}

}  // namespace perfgate
