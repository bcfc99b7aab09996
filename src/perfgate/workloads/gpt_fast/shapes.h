#pragma once
// What gpt_fast's micro-benchmarks share: shapes, dtypes, and how their cases are named.

#include <cstdint>
#include <string>

#include "perfgate/workloads/case.h"

namespace perfgate::gpt_fast {

constexpr std::int64_t kWidths[] = {1024, 4096, 8192, 16384};  ///< D

/// Fills in key and package of `gpt_fast/<workload>/<variant>/D<width>/<implementation>`.
/// The package's source is gpt_fast/<workload>.py, called with `variant` and `width`.
Case named_case(const std::string& workload, const std::string& variant, std::int64_t width,
                Implementation implementation);

}  // namespace perfgate::gpt_fast
