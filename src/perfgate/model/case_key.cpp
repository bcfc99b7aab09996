#include "perfgate/model/case_key.h"

#include <fnmatch.h>

#include <algorithm>
#include <cctype>

#include "perfgate/core/pattern.h"

namespace perfgate {
namespace {

bool is_word_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

}  // namespace

std::string family_of(std::string_view key) { return std::string(key.substr(0, key.find('/'))); }

std::string test_name_of(std::string_view key) {
  std::string out(key);
  std::replace_if(
      out.begin(), out.end(), [](char c) { return !is_word_character(c); }, '_');
  return out;
}

bool matches_glob(const std::string& key, const std::string& glob) {
  return ::fnmatch(glob.c_str(), key.c_str(), 0) == 0;
}

std::optional<std::string> shape_group(const std::string& case_key) {
  static const Pattern shape("/((D|k|mn)[0-9]+|[0-9]+(x[0-9]+)+)(?=/|$)");
  std::string group = shape.replaced(case_key, "");
  return group == case_key ? std::nullopt : std::optional<std::string>(group);
}

bool is_valid_key(std::string_view key) {
  char previous = '/';
  for (const char c : key) {
    if (c == '/' ? previous == '/' : !(is_word_character(c) || c == '-' || c == '.')) {
      return false;
    }
    previous = c;
  }
  return previous != '/';
}

}  // namespace perfgate
