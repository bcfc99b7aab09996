#pragma once
// What CPU libraries say that they ran, line by line, where they are asked to: oneDNN's primitives
// with the implementation that it dispatched (ONEDNN_VERBOSE=1), MKL's calls (MKL_VERBOSE=1).

#include <optional>
#include <string>
#include <vector>

#include "perfgate/measure/kernel_trace.h"

namespace perfgate {

/// The call that a line tells of, from 0 ns to as long as it took; none where it tells of something
/// else. "oneDNN matmul f32", by its operands' types, with its implementation, or "MKL SGEMM".
std::optional<Activity> library_call(const std::string& line);

/// Of all lines of a text.
std::vector<Activity> library_calls(const std::string& text);

}  // namespace perfgate
