#pragma once
// Characters and words by ASCII's rules, whatever the locale: a Turkish one has another capital for
// the i of PERFGATE_INJECT_SLOWDOWN.

#include <string>
#include <string_view>
#include <vector>

namespace perfgate {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }
constexpr char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; }
constexpr bool is_alnum(char c) { return is_digit(c) || (lower(c) >= 'a' && lower(c) <= 'z'); }

/// What stands between blanks, tabs and ends of lines.
inline std::vector<std::string> words_of(std::string_view text) {
  constexpr std::string_view kBetween = " \t\r\n";
  std::vector<std::string> out;
  for (auto begin = text.find_first_not_of(kBetween); begin != std::string_view::npos;) {
    const auto end = text.find_first_of(kBetween, begin);
    out.emplace_back(text.substr(begin, end - begin));
    begin = text.find_first_not_of(kBetween, end);
  }
  return out;
}

}  // namespace perfgate
