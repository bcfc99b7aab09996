#pragma once
// Strict JSON. nlohmann::json by itself keeps the last of two equal keys, writes NaN as null and
// takes any shape; a baseline read that way judges against something nobody wrote. Here every
// defect is a UsageError that names file, JSON pointer and reason.

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "perfgate/core/enum_names.h"

namespace perfgate {

struct JsonLimits {
  std::size_t max_bytes = 64u << 20;  ///< larger files are refused before they are parsed
  int max_depth = 16;                 ///< deeper nesting is refused while parsing
};

/// Parses `text`; `file` is only named in errors.
/// Throws UsageError on syntax errors, duplicate keys, and sizes or depths past `limits`.
nlohmann::json parse_strict(std::string_view text, const std::string& file,
                            const JsonLimits& limits = {});

/// A place in a parsed document that knows its file and JSON pointer. Every accessor throws
/// UsageError naming both when the value is not what was asked for. Borrows the document.
class JsonCursor {
 public:
  JsonCursor(const nlohmann::json& value, std::string file, std::string pointer = "");

  /// The object's member `key`, which must be there.
  [[nodiscard]] JsonCursor at(const std::string& key) const;
  [[nodiscard]] std::optional<JsonCursor> find(const std::string& key) const;
  /// The object's members in key order.
  [[nodiscard]] std::vector<std::pair<std::string, JsonCursor>> members() const;
  [[nodiscard]] std::vector<JsonCursor> elements() const;
  /// Refuses any member that is not listed.
  void allow_only(std::initializer_list<std::string_view> keys) const;

  [[nodiscard]] double number() const;
  [[nodiscard]] double positive_number() const;
  [[nodiscard]] std::int64_t integer() const;
  [[nodiscard]] bool boolean() const;
  [[nodiscard]] std::string text() const;
  /// The enum's value of that name.
  template <class Enum>
  [[nodiscard]] Enum one_of() const {
    const std::string name = text();
    if (const auto value = from_name<Enum>(name)) {
      return *value;
    }
    fail("\"" + name + "\" is none of " + all_names<Enum>());
  }
  [[nodiscard]] std::vector<double> numbers() const;
  /// An object of nothing but texts.
  [[nodiscard]] std::map<std::string, std::string> texts() const;
  [[nodiscard]] const nlohmann::json& raw() const { return *value_; }

  /// Throws UsageError. `mend`: what to do about it; by default, to correct the file.
  [[noreturn]] void fail(const std::string& reason, const std::string& mend = {}) const;

 private:
  const nlohmann::json* value_;
  std::string file_;
  std::string pointer_;
};

}  // namespace perfgate
