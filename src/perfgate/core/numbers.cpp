#include "perfgate/core/numbers.h"

#include <array>
#include <charconv>
#include <cmath>

namespace perfgate {

std::optional<double> decimal_from(std::string_view text) {
  double out = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  const bool is_whole = error == std::errc() && end == text.data() + text.size();
  return is_whole && std::isfinite(out) ? std::optional(out) : std::nullopt;
}

std::string decimal_text(double number) {
  std::array<char, 32> text{};  // the longest has 24 characters
  const auto written = std::to_chars(text.data(), text.data() + text.size(), number);
  return {text.data(), written.ptr};
}

std::string rounded_text(double number, int significant_digits) {
  std::array<char, 64> text{};
  const auto written = std::to_chars(text.data(), text.data() + text.size(), number,
                                     std::chars_format::general, significant_digits);
  return written.ec == std::errc() ? std::string(text.data(), written.ptr) : decimal_text(number);
}

// What is made by changing a copy: where there is no memory for one, the thread keeps its locale.
PointInNumbers::PointInNumbers()
    : ours_(::newlocale(LC_NUMERIC_MASK, "C", ::duplocale(::uselocale(locale_t{})))),
      before_(::uselocale(ours_)) {}

PointInNumbers::~PointInNumbers() {
  ::uselocale(before_);
  if (ours_ != locale_t{}) {
    ::freelocale(ours_);
  }
}

}  // namespace perfgate
