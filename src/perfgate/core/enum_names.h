#pragma once
// The values of an enum and their text, listed once: beside an enum stands its kNames, and both
// directions follow from it. A second table is how a value comes to be written that no reader
// knows.

#include <array>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace perfgate {

template <class Enum, std::size_t kCount>
using EnumNames = std::array<std::pair<Enum, std::string_view>, kCount>;

/// Specialised beside each enum that has text.
template <class Enum>
inline constexpr auto kNames = nullptr;

/// Throws std::logic_error for a value that kNames does not list.
template <class Enum>
requires(std::is_enum_v<Enum>) constexpr std::string_view name_of(Enum value) {
  for (const auto& [candidate, name] : kNames<Enum>) {
    if (candidate == value) {
      return name;
    }
  }
  throw std::logic_error("a value of an enum has no name");
}

/// The value of this name, or nothing.
template <class Enum>
constexpr std::optional<Enum> from_name(std::string_view name) {
  for (const auto& [value, candidate] : kNames<Enum>) {
    if (candidate == name) {
      return value;
    }
  }
  return std::nullopt;
}

/// Every name, as an error lists them: "lower, higher".
template <class Enum>
std::string all_names() {
  std::string out;
  for (const auto& [value, name] : kNames<Enum>) {
    out += (out.empty() ? "" : ", ") + std::string(name);
  }
  return out;
}

}  // namespace perfgate
