#include "perfgate/model/ceiling.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "perfgate/model/measured_range.h"

namespace perfgate {
namespace {

constexpr std::array<std::pair<Unit, std::string_view>, 4> kSuffixes = {
    {{Unit::kGbPerS, "_gb_per_s"},
     {Unit::kGflopPerS, "_gflop_per_s"},
     {Unit::kGopPerS, "_gop_per_s"},
     {Unit::kMicroseconds, "_us"}}};

}  // namespace

std::string text_of(const Ceiling& ceiling) {
  const auto* suffix = std::find_if(kSuffixes.begin(), kSuffixes.end(), [&](const auto& candidate) {
    return candidate.first == ceiling.unit;
  });
  if (suffix == kSuffixes.end()) {
    throw std::invalid_argument("no ceiling is in " + std::string(name_of(ceiling.unit)));
  }
  return ceiling.name + std::string(suffix->second);
}

std::optional<Ceiling> ceiling_from(std::string_view text) {
  for (const auto& [unit, suffix] : kSuffixes) {
    if (text.size() > suffix.size() && text.ends_with(suffix)) {
      return Ceiling{std::string(text.substr(0, text.size() - suffix.size())), unit};
    }
  }
  return std::nullopt;
}

nlohmann::json to_json(const CeilingRates& ceilings) {
  nlohmann::json out = nlohmann::json::object();
  for (const auto& [ceiling, value] : ceilings) {
    out[text_of(ceiling)] = value;
  }
  return out;
}

Ceiling ceiling_from_json(const JsonCursor& cursor, const std::string& name) {
  const auto out = ceiling_from(name);
  if (!out) {
    cursor.fail("no ceiling's name ends so: expected a unit, as in dram_read_gb_per_s");
  }
  return *out;
}

CeilingRates ceilings_from_json(const JsonCursor& cursor) {
  CeilingRates out;
  for (const auto& [name, item] : cursor.members()) {
    out[ceiling_from_json(item, name)] = measured_number(item);
  }
  return out;
}

}  // namespace perfgate
