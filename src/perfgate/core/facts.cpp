#include "perfgate/core/facts.h"

#include <string_view>

namespace perfgate {
namespace {

constexpr std::string_view kUnknown = "unknown: ";

}  // namespace

std::string unknown_fact(const std::string& why) { return std::string(kUnknown) + why; }

std::optional<std::string> why_unknown(const std::string& fact) {
  return fact.starts_with(kUnknown) ? std::optional(fact.substr(kUnknown.size())) : std::nullopt;
}

}  // namespace perfgate
