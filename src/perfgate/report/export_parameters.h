#pragma once
// A worker's parameters as the tables of PyTorch's benchmarks show them.

#include <string>

#include "perfgate/core/worker_report.h"

namespace perfgate {

/// As text; empty where the case has no such parameter.
inline std::string parameter(const WorkerReport& report, const std::string& name) {
  const auto found = report.parameters.find(name);
  if (found == report.parameters.end()) {
    return "";
  }
  if (const auto* number = std::get_if<std::int64_t>(&found->second)) {
    return std::to_string(*number);
  }
  const auto* text = std::get_if<std::string>(&found->second);
  return text == nullptr ? "" : *text;
}

/// "torch.float16" for "fp16".
inline std::string torch_dtype(const std::string& name) {
  return name == "fp16"   ? "torch.float16"
         : name == "bf16" ? "torch.bfloat16"
         : name == "fp32" ? "torch.float32"
                          : "torch." + name;
}

}  // namespace perfgate
