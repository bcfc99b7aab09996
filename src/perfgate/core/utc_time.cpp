#include "perfgate/core/utc_time.h"

#include <ctime>
#include <string_view>

#include "perfgate/core/ascii.h"

namespace perfgate {
namespace {

// Of so many digits as a time has them; -1: there are other characters.
int number_at(std::string_view text, std::size_t at, std::size_t digits) {
  int out = 0;
  for (const char c : text.substr(at, digits)) {
    if (!is_digit(c)) {
      return -1;
    }
    out = 10 * out + (c - '0');
  }
  return out;
}

}  // namespace

std::optional<std::chrono::sys_seconds> utc_time(const std::string& text) {
  constexpr std::string_view kForm = "0000-00-00T00:00:00";
  if (text.size() < kForm.size()) {
    return std::nullopt;
  }
  for (std::size_t i = 0; i < kForm.size(); ++i) {
    if (!is_digit(kForm[i]) && text[i] != kForm[i]) {
      return std::nullopt;
    }
  }
  const int year = number_at(text, 0, 4);
  const int month = number_at(text, 5, 2);
  const int day = number_at(text, 8, 2);
  const int hour = number_at(text, 11, 2);
  const int minute = number_at(text, 14, 2);
  const int second = number_at(text, 17, 2);
  const std::chrono::year_month_day date(std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day)));
  if (year < 0 || !date.ok() || hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 ||
      second > 60) {
    return std::nullopt;
  }
  std::tm parts{};
  parts.tm_year = year - 1900;
  parts.tm_mon = month - 1;
  parts.tm_mday = day;
  parts.tm_hour = hour;
  parts.tm_min = minute;
  parts.tm_sec = second;
  return std::chrono::sys_seconds(std::chrono::seconds(timegm(&parts)));
}

}  // namespace perfgate
