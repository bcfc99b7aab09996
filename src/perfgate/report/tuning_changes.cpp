#include "perfgate/report/tuning_changes.h"

#include <fmt/format.h>

#include <set>

namespace perfgate {

std::string tuning_changes(const Tuning& before, const Tuning& now) {
  std::set<std::string> names;
  for (const auto* tuning : {&before, &now}) {
    for (const auto& [name, value] : *tuning) {
      names.insert(name);
    }
  }
  const auto value_in = [](const Tuning& tuning, const std::string& name) {
    const auto found = tuning.find(name);
    return found == tuning.end() ? std::string("none") : found->second;
  };
  std::string out;
  for (const auto& name : names) {
    const std::string old_value = value_in(before, name);
    const std::string new_value = value_in(now, name);
    if (old_value != new_value) {
      out += fmt::format("{}{} {} -> {}", out.empty() ? "" : ", ", name, old_value, new_value);
    }
  }
  return out;
}

}  // namespace perfgate
