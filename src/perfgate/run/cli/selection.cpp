#include "perfgate/run/cli/selection.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "perfgate/core/errors.h"
#include "perfgate/model/case_key.h"

namespace perfgate {
namespace {

std::string joined(const std::set<std::string>& words) {
  std::string out;
  for (const auto& word : words) {
    out += (out.empty() ? "" : ", ") + word;
  }
  return out;
}

bool matches_any(const std::string& text, std::string_view patterns) {
  while (true) {
    const auto end = patterns.find(':');
    if (matches_glob(text, std::string(patterns.substr(0, end)))) {
      return true;
    }
    if (end == std::string_view::npos) {
      return false;
    }
    patterns.remove_prefix(end + 1);
  }
}

// What a glob of --case selects: a night's cases that it matches, or, where there are none, others
// that run on request; one that is named whole in any case.
std::set<std::string> matched(const std::string& glob, const std::vector<DeclaredCase>& declared) {
  std::set<std::string> nightly;
  std::set<std::string> on_request;
  for (const auto& item : declared) {
    if (matches_glob(item.key, glob)) {
      (item.nightly || item.key == glob ? nightly : on_request).insert(item.key);
    }
  }
  return nightly.empty() ? on_request : nightly;
}

// What --case selects; without it, what is a night's.
std::set<std::string> wanted_keys(const std::string& globs,
                                  const std::vector<DeclaredCase>& declared,
                                  const std::string& families) {
  std::set<std::string> out;
  for (const auto& item : declared) {
    if (globs.empty() && item.nightly) {
      out.insert(item.key);
    }
  }
  for (const auto& glob : globs_of(globs)) {
    auto keys = matched(glob, declared);
    if (keys.empty()) {
      throw UsageError("no case matches \"" + glob + "\"",
                       "perfgate --list_cases prints every key; families: " + families);
    }
    out.merge(keys);
  }
  return out;
}

}  // namespace

std::vector<std::string> selected_keys(const Selection& selection,
                                       const std::vector<DeclaredCase>& declared,
                                       const std::vector<std::string>& gated) {
  std::set<std::string> families;
  for (const auto& item : declared) {
    families.insert(family_of(item.key));
  }
  const bool is_gated = std::find(gated.begin(), gated.end(), selection.family) != gated.end();
  if (is_gated && families.count(selection.family) == 0) {
    return {};
  }
  if (!selection.family.empty() && families.count(selection.family) == 0) {
    throw UsageError("no family \"" + selection.family + "\"", "possible: " + joined(families));
  }
  const auto wanted = wanted_keys(selection.case_glob, declared, joined(families));
  std::vector<std::string> out;
  for (const auto& item : declared) {
    if (wanted.count(item.key) > 0 &&
        (selection.family.empty() || family_of(item.key) == selection.family)) {
      out.push_back(item.key);
    }
  }
  return out;
}

Shard shard_from(const char* total, const char* index) {
  if (total == nullptr) {
    return {};
  }
  const auto number = [](const char* text) {
    const std::string digits = text == nullptr ? "" : text;
    const bool is_number =
        !digits.empty() && digits.size() < 6 &&
        std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
    return is_number ? std::stoi(digits) : -1;
  };
  const Shard out{number(index), number(total)};
  if (out.index < 0 || out.index >= out.total) {
    throw UsageError("GTEST_TOTAL_SHARDS and GTEST_SHARD_INDEX name no shard",
                     "the index counts from 0 and is below the total");
  }
  return out;
}

std::vector<std::string> shard_of(
    const std::vector<std::string>& keys, const Shard& shard,
    const std::function<std::string(const std::string&)>& compared_with) {
  std::map<std::string, int> shard_of_group;
  std::vector<std::string> out;
  for (const auto& key : keys) {
    const std::string other = compared_with(key);
    const int next = static_cast<int>(shard_of_group.size()) % shard.total;
    const auto [group, added] = shard_of_group.emplace(other.empty() ? key : other, next);
    if (group->second == shard.index) {
      out.push_back(key);
    }
  }
  return out;
}

bool matches_filter(const std::string& test, const std::string& filter) {
  const auto minus = filter.find('-');
  const std::string_view wanted = std::string_view(filter).substr(0, minus);
  const bool excluded =
      minus != std::string::npos && matches_any(test, std::string_view(filter).substr(minus + 1));
  return !excluded && (wanted.empty() ? minus == 0 : matches_any(test, wanted));
}

std::string filter_without(const std::string& user_filter,
                           const std::vector<std::string>& excluded) {
  std::string out = user_filter;
  for (const auto& name : excluded) {
    // A filter has one '-': everything behind it, separated by ':', is excluded.
    out += (out.find('-') == std::string::npos ? "-" : ":") + name;
  }
  return out;
}

}  // namespace perfgate
