#include "perfgate/core/shell.h"

namespace perfgate {

std::string shell_word(std::string_view text) {
  constexpr std::string_view kHarmless =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";
  if (!text.empty() && text.find_first_not_of(kHarmless) == std::string_view::npos) {
    return std::string(text);
  }
  std::string out = "'";
  for (const char c : text) {
    out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return out + "'";
}

std::string shell_command(const std::vector<std::string>& words) {
  std::string out;
  for (const auto& word : words) {
    out += (out.empty() ? "" : " ") + shell_word(word);
  }
  return out;
}

}  // namespace perfgate
