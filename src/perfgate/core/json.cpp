#include "perfgate/core/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "perfgate/core/errors.h"
#include "perfgate/core/numbers.h"
#include "perfgate/core/plain_text.h"

namespace perfgate {
namespace {

using nlohmann::json;

std::string escape_pointer(const std::string& key) {
  std::string out;
  for (const char c : key) {
    if (c == '~') {
      out += "~0";
    } else if (c == '/') {
      out += "~1";
    } else {
      out += c;
    }
  }
  return out;
}

[[noreturn]] void refuse(const std::string& file, const std::string& pointer,
                         const std::string& reason, const std::string& mend = {}) {
  throw UsageError(fmt::format("{}: at \"{}\": {}", file, pointer, reason),
                   mend.empty() ? "correct the file by hand, or restore it from version control; "
                                  "perfgate has not touched it"
                                : mend);
}

// Follows the parser through the document, so that depth and duplicates are refused where they
// stand and before the value is built.
class StructureGuard {
 public:
  StructureGuard(const std::string& file, int max_depth) : file_(file), max_depth_(max_depth) {}

  bool operator()(int depth, json::parse_event_t event, const json& parsed) {
    switch (event) {
      case json::parse_event_t::object_start:
      case json::parse_event_t::array_start:
        count_element();
        if (depth >= max_depth_) {
          refuse(file_, pointer(), fmt::format("nested deeper than {} levels", max_depth_));
        }
        levels_.push_back({event == json::parse_event_t::array_start, 0, "", {}});
        break;
      case json::parse_event_t::key: {
        Level& level = levels_.back();
        level.key = parsed.get_ref<const std::string&>();
        if (!level.keys.insert(level.key).second) {
          refuse(file_, pointer(), "this key stands here twice");
        }
        break;
      }
      case json::parse_event_t::object_end:
      case json::parse_event_t::array_end:
        levels_.pop_back();
        break;
      case json::parse_event_t::value:
        count_element();
        break;
    }
    return true;
  }

 private:
  // One open object or array: where in it the parser stands.
  struct Level {
    bool is_array = false;
    int elements = 0;  // begun so far
    std::string key;
    std::set<std::string> keys;
  };
  [[nodiscard]] std::string pointer() const {
    std::string out;
    for (const auto& level : levels_) {
      out +=
          "/" + (level.is_array ? std::to_string(level.elements - 1) : escape_pointer(level.key));
    }
    return out;
  }
  void count_element() {
    if (!levels_.empty() && levels_.back().is_array) {
      ++levels_.back().elements;
    }
  }

  const std::string& file_;
  int max_depth_;
  std::vector<Level> levels_;
};

}  // namespace

json parse_strict(std::string_view text, const std::string& file, const JsonLimits& limits) {
  if (text.size() > limits.max_bytes) {
    refuse(file, "", fmt::format("{} bytes, and the limit is {}", text.size(), limits.max_bytes));
  }
  StructureGuard guard(file, limits.max_depth);
  const PointInNumbers the_parser_uses_strtod;
  try {
    return json::parse(text, std::ref(guard));
  } catch (const json::exception& error) {
    refuse(file, "", error.what());
  }
}

JsonCursor::JsonCursor(const json& value, std::string file, std::string pointer)
    : value_(&value), file_(std::move(file)), pointer_(std::move(pointer)) {}

void JsonCursor::fail(const std::string& reason, const std::string& mend) const {
  refuse(file_, pointer_, reason, mend);
}

std::optional<JsonCursor> JsonCursor::find(const std::string& key) const {
  if (!value_->is_object()) {
    fail("expected an object");
  }
  const auto item = value_->find(key);
  if (item == value_->end()) {
    return std::nullopt;
  }
  return JsonCursor(*item, file_, pointer_ + "/" + escape_pointer(key));
}

JsonCursor JsonCursor::at(const std::string& key) const {
  if (auto found = find(key)) {
    return *found;
  }
  fail("\"" + key + "\" is missing");
}

std::vector<std::pair<std::string, JsonCursor>> JsonCursor::members() const {
  if (!value_->is_object()) {
    fail("expected an object");
  }
  std::vector<std::pair<std::string, JsonCursor>> out;
  for (const auto& [key, item] : value_->items()) {
    if (!is_plain(key)) {
      fail("the key \"" + plain_line(key) + "\" holds characters that cannot be shown");
    }
    out.emplace_back(key, JsonCursor(item, file_, pointer_ + "/" + escape_pointer(key)));
  }
  return out;
}

std::vector<JsonCursor> JsonCursor::elements() const {
  if (!value_->is_array()) {
    fail("expected an array");
  }
  std::vector<JsonCursor> out;
  for (std::size_t i = 0; i < value_->size(); ++i) {
    out.emplace_back((*value_)[i], file_, pointer_ + "/" + std::to_string(i));
  }
  return out;
}

void JsonCursor::allow_only(std::initializer_list<std::string_view> keys) const {
  for (const auto& [key, item] : members()) {
    if (std::find(keys.begin(), keys.end(), key) == keys.end()) {
      item.fail(fmt::format("unknown key; known here: {}", fmt::join(keys, ", ")));
    }
  }
}

double JsonCursor::number() const {
  if (!value_->is_number()) {
    fail("expected a number");
  }
  return value_->get<double>();
}

double JsonCursor::positive_number() const {
  const double value = number();
  if (!(value > 0)) {
    fail("expected a number above 0");
  }
  return value;
}

std::int64_t JsonCursor::integer() const {
  constexpr auto kLargest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (!value_->is_number_integer() ||
      (value_->is_number_unsigned() && value_->get<std::uint64_t>() > kLargest)) {
    fail("expected a whole number of at most 63 bits");
  }
  return value_->get<std::int64_t>();
}

bool JsonCursor::boolean() const {
  if (!value_->is_boolean()) {
    fail("expected true or false");
  }
  return value_->get<bool>();
}

std::string JsonCursor::text() const {
  if (!value_->is_string()) {
    fail("expected a string");
  }
  auto out = value_->get<std::string>();
  if (!is_plain(out)) {
    fail(
        "a text with characters that cannot be shown, such as controls: whoever reads it would not "
        "see them");
  }
  return out;
}

std::map<std::string, std::string> JsonCursor::texts() const {
  std::map<std::string, std::string> out;
  for (const auto& [key, item] : members()) {
    out[key] = item.text();
  }
  return out;
}

std::vector<double> JsonCursor::numbers() const {
  std::vector<double> out;
  for (const auto& item : elements()) {
    out.push_back(item.number());
  }
  return out;
}

}  // namespace perfgate
