#pragma once
// Which model is run how: by LibTorch's operators, with its own product of quantised weights or a
// cast before each, or by Inductor's code, its vocabulary whole or in parts; its decode step
// queued kernel by kernel or replayed as a graph of the device.

#include <cstdint>

#include "perfgate/core/enum_names.h"
#include "perfgate/workloads/language_models/model_shape.h"

namespace perfgate {
namespace language_models {

enum class Execution {
  kEager,
  kGraph,
  kInt8Pack,
  kInt8PackGraph,
  kCompiled,
  kCompiledGraph,
  kCompiledGraphSplitHead,
};

constexpr bool is_compiled(Execution execution) {
  return execution == Execution::kCompiled || execution == Execution::kCompiledGraph ||
         execution == Execution::kCompiledGraphSplitHead;
}

constexpr bool is_graph(Execution execution) {
  return execution == Execution::kGraph || execution == Execution::kInt8PackGraph ||
         execution == Execution::kCompiledGraph || execution == Execution::kCompiledGraphSplitHead;
}

constexpr bool is_int8pack(Execution execution) {
  return execution == Execution::kInt8Pack || execution == Execution::kInt8PackGraph;
}

struct Run {
  ModelShape shape;
  Precision precision;
  Execution execution = Execution::kEager;
  std::int64_t positions = 0;  ///< that the cache has room for
  std::int64_t tokens = 0;     ///< that one decode makes
};

}  // namespace language_models

template <>
inline constexpr EnumNames<language_models::Execution, 7> kNames<language_models::Execution> = {
    {{language_models::Execution::kEager, "eager"},
     {language_models::Execution::kGraph, "graph"},
     {language_models::Execution::kInt8Pack, "int8pack"},
     {language_models::Execution::kInt8PackGraph, "int8pack_graph"},
     {language_models::Execution::kCompiled, "compiled"},
     {language_models::Execution::kCompiledGraph, "compiled_graph"},
     {language_models::Execution::kCompiledGraphSplitHead, "compiled_graph_split_head"}}};

}  // namespace perfgate
