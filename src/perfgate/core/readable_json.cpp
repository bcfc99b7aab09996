#include "perfgate/core/readable_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "perfgate/core/numbers.h"
#include "perfgate/core/plain_text.h"

namespace perfgate {
namespace {

using nlohmann::json;

// Six significant digits are finer than any measurement here is known, and keep diffs short.
std::string scalar(const json& value) {
  if (!value.is_number_float()) {  // a library's error text need not be UTF-8
    return value.dump(-1, ' ', false, json::error_handler_t::replace);
  }
  const double number = value.get<double>();
  if (!std::isfinite(number)) {
    throw std::invalid_argument("a NaN or infinite number cannot be written as JSON");
  }
  return json(decimal_from(fmt::format("{:.6g}", number)).value_or(number)).dump();
}

// Appends the value on one line while `out` stays within `limit` characters; whether it did. Gives
// up as soon as it does not fit, or each level of a document would write all the levels below it.
bool append_line(const json& value, std::size_t limit, std::string& out) {
  if (!value.is_structured()) {
    out += scalar(value);
    return out.size() <= limit;
  }
  out += value.is_object() ? '{' : '[';
  bool first = true;
  for (auto item = value.begin(); item != value.end(); ++item) {
    out += first ? "" : ", ";
    first = false;
    if (value.is_object()) {
      out += scalar(item.key()) + ": ";
    }
    if (!append_line(*item, limit, out)) {
      return false;
    }
  }
  out += value.is_object() ? '}' : ']';
  return out.size() <= limit;
}

bool is_list_of_numbers(const json& value) {
  return value.is_array() &&
         std::all_of(value.begin(), value.end(), [](const json& item) { return item.is_number(); });
}

// The elements of a long list of numbers, as many a line as fit.
void write_numbers(const json& values, const std::string& margin, std::size_t columns,
                   std::string& out) {
  std::size_t column = columns;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::string text = scalar(values[i]) + (i + 1 < values.size() ? "," : "");
    const bool breaks = column + 1 + text.size() > columns;
    out += breaks ? "\n" + margin : " ";
    out += text;
    column = (breaks ? margin.size() : column + 1) + text.size();
  }
}

void write(const json& value, std::size_t indent, std::size_t used, std::size_t columns,
           std::string& out) {
  std::string line;
  const bool fits = append_line(value, columns - std::min(columns, used), line);
  if (fits || !value.is_structured() || value.empty()) {
    out += line;
    return;
  }
  const std::string margin(indent + 2, ' ');
  out += value.is_object() ? '{' : '[';
  if (is_list_of_numbers(value)) {
    write_numbers(value, margin, columns, out);
  } else {
    bool first = true;
    for (auto item = value.begin(); item != value.end(); ++item) {
      out += first ? "\n" : ",\n";
      first = false;
      const std::string label = value.is_object() ? scalar(item.key()) + ": " : "";
      out += margin + label;
      write(*item, indent + 2, indent + 2 + label.size(), columns, out);
    }
  }
  out += "\n" + std::string(indent, ' ') + (value.is_object() ? '}' : ']');
}

}  // namespace

std::string dump_readable(const json& value, std::size_t columns) {
  std::string out;
  write(value, 0, 0, columns, out);
  return out + "\n";
}

std::string dump_plain(json value, int indent) {
  return with_plain_texts(std::move(value)).dump(indent);
}

}  // namespace perfgate
