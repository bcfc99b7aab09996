#pragma once
// Which numbers are measurements. A case that divides by nearly nothing measures 1e-320, and
// against 1e6 that is a change of infinity, which no file can hold. So whatever is measured keeps
// to one range, where it enters and where it is recorded: in it every ratio of two measurements,
// and every product of such ratios, is a double.

#include <string>

#include "perfgate/core/json.h"

namespace perfgate {

/// Of anything that is measured, in any unit: 1e15 is thirty years in us, and a petabyte in bytes.
constexpr double kLeastMeasured = 1e-12;
constexpr double kMostMeasured = 1e15;
/// What a worker says beside its measurements: the operations that a case declares, its costs.
constexpr double kMostSaid = 1e30;

/// Whether a measurement may be this; not where it is no number.
constexpr bool is_measurable(double value) {
  return value >= kLeastMeasured && value <= kMostMeasured;
}

/// "is 1e-320: nothing that is measured is below 1e-12 or above 1e+15".
std::string unmeasurable_text(double value);

/// A measurement. Throws UsageError naming the place of what is outside of the range.
double measured_number(const JsonCursor& cursor);

/// What may be 0 or below as well: a gap, a count, a share. Throws UsageError naming the place of
/// what is larger than kMostSaid.
double said_number(const JsonCursor& cursor);

}  // namespace perfgate
