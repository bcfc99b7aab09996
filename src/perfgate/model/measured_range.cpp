#include "perfgate/model/measured_range.h"

#include <cmath>

#include "perfgate/core/numbers.h"

namespace perfgate {

std::string unmeasurable_text(double value) {
  return "is " + decimal_text(value) + ": nothing that is measured is below " +
         decimal_text(kLeastMeasured) + " or above " + decimal_text(kMostMeasured);
}

double measured_number(const JsonCursor& cursor) {
  const double value = cursor.positive_number();
  if (!is_measurable(value)) {
    cursor.fail(unmeasurable_text(value), "say it in another unit");
  }
  return value;
}

double said_number(const JsonCursor& cursor) {
  const double value = cursor.number();
  if (!(std::abs(value) <= kMostSaid)) {
    cursor.fail("is " + decimal_text(value) + ", and nothing that is said is above " +
                    decimal_text(kMostSaid),
                "say it in another unit");
  }
  return value;
}

}  // namespace perfgate
