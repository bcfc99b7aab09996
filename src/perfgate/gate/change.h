#pragma once
// By how much something got slower. Logarithms add up, so all judging is in them; people are told a
// relative change. Neither is ever taken for the other: the one is a type.

#include <algorithm>
#include <cmath>

namespace perfgate {

/// A difference of two logarithms, positive when slower. A relative change is a plain double.
struct LogChange {
  double log = 0;
};

/// Of a relative change: +0.026 is 2.6 % slower. More than -1.
inline LogChange log_of(double change) { return {std::log1p(change)}; }

/// What is said of a case of which next to nothing is known: it could hide this much at least.
constexpr double kAnything = 1e6;

/// As people say it. JSON has no infinity, and the log of a change of -100 % is one: so whatever
/// the difference is, its relative change is told from a millionth to a million. NaN only of NaN.
inline double relative(LogChange change) {
  return std::clamp(std::expm1(change.log), 1 / (1 + kAnything) - 1, kAnything);
}

}  // namespace perfgate
