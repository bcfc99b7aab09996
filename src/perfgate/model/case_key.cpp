#include "perfgate/model/case_key.h"

#include <fnmatch.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "perfgate/core/ascii.h"
#include "perfgate/core/errors.h"
#include "perfgate/core/pattern.h"

namespace perfgate {
namespace {

bool is_word_character(char c) { return is_alnum(c) || c == '_'; }

// Not of the words that stand for a folder.
bool is_valid_word(std::string_view word) {
  return !word.empty() && word != "." && word != ".." &&
         std::all_of(word.begin(), word.end(),
                     [](char c) { return is_word_character(c) || c == '-' || c == '.'; });
}

}  // namespace

std::string family_of(std::string_view key) { return std::string(key.substr(0, key.find('/'))); }

std::string test_name_of(std::string_view key) {
  std::string out(key);
  std::replace_if(
      out.begin(), out.end(), [](char c) { return !is_word_character(c); }, '_');
  return out;
}

std::vector<std::string> globs_of(const std::string& list) {
  std::vector<std::string> out;
  std::istringstream globs(list);
  for (std::string glob; std::getline(globs, glob, ',');) {
    if (!glob.empty()) {
      out.push_back(glob);
    }
  }
  return out;
}

bool matches_glob(const std::string& key, const std::string& globs) {
  const auto all = globs_of(globs);
  return std::any_of(all.begin(), all.end(), [&key](const std::string& glob) {
    return ::fnmatch(glob.c_str(), key.c_str(), 0) == 0;
  });
}

std::optional<std::string> shape_group(const std::string& case_key) {
  static const Pattern shape("/((D|k|mn)[0-9]+|[0-9]+(x[0-9]+)+)(?=/|$)");
  std::string group = shape.replaced(case_key, "");
  return group == case_key ? std::nullopt : std::optional<std::string>(group);
}

bool is_valid_key(std::string_view key) {
  if (key.size() > kLongestKey) {
    return false;
  }
  while (true) {
    const auto slash = key.find('/');
    if (!is_valid_word(key.substr(0, slash))) {
      return false;
    }
    if (slash == key.npos) {
      return true;
    }
    key.remove_prefix(slash + 1);
  }
}

void require_distinct_keys(const std::vector<std::string>& keys) {
  std::map<std::string, std::string> names;  // of tests, with the keys that make them
  for (const auto& key : keys) {
    if (!is_valid_key(key)) {
      throw UsageError("not a case key: \"" + key + "\"",
                       "words of letters, digits, _, - and . with single / between them, of " +
                           std::to_string(kLongestKey) + " characters at most");
    }
    if (key.starts_with("DISABLED_")) {
      throw UsageError("the key " + key + " begins with DISABLED_: GoogleTest would never run it",
                       "begin it with another word");
    }
    const auto [same, is_new] = names.emplace(test_name_of(key), key);
    if (!is_new && same->second == key) {
      throw UsageError("two cases have the key " + key, "give each its own");
    }
    if (!is_new) {
      throw UsageError("the keys " + same->second + " and " + key +
                           " make one name for GoogleTest, " + same->first,
                       "have them differ in letters or digits");
    }
  }
}

}  // namespace perfgate
