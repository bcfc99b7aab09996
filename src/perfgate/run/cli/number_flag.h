#pragma once
// What a flag's number may be. CLI11's own range writes numbers as the locale does, and takes
// "nan", which is outside of no range.

#include <charconv>
#include <string>
#include <system_error>

#include "perfgate/core/numbers.h"

namespace perfgate {

/// A check for CLI11: nothing where the text is a number from `least` to `most`, else what is
/// wrong.
template <class Number>
auto number_between(Number least, Number most) {
  return [least, most](const std::string& text) -> std::string {
    Number value{};
    const char* end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data(), end, value);
    if (error == std::errc() && stopped == end && value >= least && value <= most) {
      return "";
    }
    return text + " is not a number from " + decimal_text(static_cast<double>(least)) + " to " +
           decimal_text(static_cast<double>(most));
  };
}

}  // namespace perfgate
