#include "perfgate/workloads/catalogue.h"

#include <algorithm>
#include <ostream>
#include <stdexcept>
#include <unordered_map>

#include "perfgate/core/errors.h"
#include "perfgate/model/case_key.h"

namespace perfgate {
namespace {

struct Registry {
  at::DeviceType type = at::DeviceType::CPU;
  std::string asked_for;
  std::vector<Case> cases;
  std::unordered_map<std::string, std::size_t> places;  // of keys in cases: a worker looks up each
  std::vector<CaseMaker> makers;
};

// Written while GoogleTest instantiates its tables, read afterwards.
Registry& registry() {
  static Registry the_registry;
  return the_registry;
}

// What is asked for and in no table yet.
std::vector<Case> made_to_order(CaseMaker make) {
  const auto& the_registry = registry();
  const auto& keys = the_registry.asked_for;
  if (std::any_of(the_registry.cases.begin(), the_registry.cases.end(),
                  [&](const Case& item) { return matches_glob(item.key, keys); })) {
    return {};  // the tables have it
  }
  auto out = make(keys, the_registry.type);
  for (const auto& item : out) {
    if (!is_practical(item, the_registry.type)) {
      throw UsageError("\"" + item.key + "\" is too large for this device",
                       "it would hold or take more than a worker may; ask for less");
    }
  }
  return out;
}

}  // namespace

void PrintTo(const CaseParam& param, std::ostream* out) { *out << param.key; }

void use_device_type(at::DeviceType type) { registry().type = type; }

void allow_custom_cases(const std::string& keys) { registry().asked_for = keys; }

std::vector<CaseParam> declare(CaseTable table, CaseMaker make_custom) {
  auto& the_registry = registry();
  const auto type = the_registry.type;
  std::vector<CaseParam> out;
  const auto add = [&out, &the_registry](Case item) {
    if (!is_valid_key(item.key)) {
      throw std::invalid_argument("not a case key: " + item.key);
    }
    if (!the_registry.places.emplace(item.key, the_registry.cases.size()).second) {
      throw std::invalid_argument("two cases have the key " + item.key);
    }
    out.push_back({item.key});
    the_registry.cases.push_back(std::move(item));
  };
  for (auto& item : table(type)) {
    if (is_practical(item, type)) {
      add(std::move(item));
    }
  }
  if (make_custom != nullptr) {
    the_registry.makers.push_back(make_custom);
    for (auto& item : made_to_order(make_custom)) {
      add(std::move(item));
    }
  }
  return out;
}

const std::vector<Case>& catalogue() { return registry().cases; }

const Case* find_case(const std::string& key) {
  const auto& the_registry = registry();
  const auto found = the_registry.places.find(key);
  return found == the_registry.places.end() ? nullptr : &the_registry.cases[found->second];
}

std::optional<Case> find_or_make_case(const std::string& key) {
  if (const Case* found = find_case(key)) {
    return *found;
  }
  const auto& the_registry = registry();
  for (const CaseMaker make : the_registry.makers) {
    try {
      for (auto& made : make(key, the_registry.type)) {
        if (made.key == key) {
          return std::move(made);
        }
      }
    } catch (const UsageError&) {  // no case, then
    }
  }
  return std::nullopt;
}

}  // namespace perfgate
