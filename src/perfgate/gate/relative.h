#pragma once
// Differences in logs as people say them. JSON has no infinity, and the log of a change of -100 %
// is one: so whatever the difference is, its relative change is told from a millionth to a million.

#include <algorithm>
#include <cmath>

namespace perfgate {

/// What is said of a case of which next to nothing is known: it could hide this much at least.
constexpr double kAnything = 1e6;

/// Of a difference in logs: +0.026 is 2.6 % more. NaN only of NaN.
inline double relative(double log) {
  return std::clamp(std::expm1(log), 1 / (1 + kAnything) - 1, kAnything);
}

}  // namespace perfgate
