#include "damage.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

namespace perfgate {
namespace {

using nlohmann::json;

std::size_t below(Random& random, std::size_t limit) {
  return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random);
}

// Every value of a document.
void gather(json& value, std::vector<json*>& out) {
  out.push_back(&value);
  if (value.is_structured()) {
    for (auto& item : value) {
      gather(item, out);
    }
  }
}

json nonsense(Random& random) {
  const std::vector<json> values = {nullptr,
                                    true,
                                    false,
                                    0,
                                    -1,
                                    1e308,
                                    -1e308,
                                    5e-324,
                                    std::int64_t{1} << 62,
                                    "",
                                    "a\033[2Jb",
                                    std::string(5000, 'x'),
                                    json::array(),
                                    json::object(),
                                    json::array({1, json::array({2})}),
                                    "higher",
                                    "best",
                                    "NaN"};
  return values[below(random, values.size())];
}

// One value changed, removed, doubled or swapped with another.
std::string damaged_in_a_value(json document, Random& random) {
  std::vector<json*> values;
  gather(document, values);
  json& one = *values[below(random, values.size())];
  switch (below(random, 6)) {
    case 0:
      one = nonsense(random);
      break;
    case 1:
      if (one.is_structured() && !one.empty()) {
        auto item = one.begin();
        std::advance(item, static_cast<std::ptrdiff_t>(below(random, one.size())));
        one.erase(item);
      }
      break;
    case 2:
      if (one.is_object()) {
        one["added"] = nonsense(random);
      } else if (one.is_array() && !one.empty()) {
        one.push_back(one.front());
      }
      break;
    case 3:
      if (one.is_number()) {
        const std::vector<double> factors = {-1, 0, 0.1, 0.6, 1.3, 1.6, 9, 1e9};
        one = one.get<double>() * factors[below(random, factors.size())];
      }
      break;
    case 4: {
      json other = *values[below(random, values.size())];
      one = std::move(other);
      break;
    }
    default:
      if (one.is_boolean()) {
        one = !one.get<bool>();
      } else if (one.is_string()) {
        one = one.get<std::string>() + "x";
      }
      break;
  }
  return document.dump(1);
}

// The text itself: cut off, a byte changed, a piece repeated, or nested without end.
std::string damaged_in_its_text(std::string text, Random& random) {
  const std::size_t at = below(random, text.size());
  switch (below(random, 4)) {
    case 0:
      return text.substr(0, at);
    case 1:
      text[at] = static_cast<char>(below(random, 256));
      return text;
    case 2:
      return text.insert(at, text.substr(at, 1 + below(random, 200)));
    default:
      return text.insert(at, std::string(1 + below(random, 5000), '['));
  }
}

}  // namespace

std::string damaged(const json& document, Random& random) {
  return below(random, 4) == 0 ? damaged_in_its_text(document.dump(1), random)
                               : damaged_in_a_value(document, random);
}

}  // namespace perfgate
