#include "perfgate/workloads/catalogue.h"

#include <algorithm>
#include <ostream>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "perfgate/core/errors.h"
#include "perfgate/model/case_key.h"

namespace perfgate {
namespace {

struct Registry {
  at::DeviceType type = at::DeviceType::CPU;
  std::string asked_for;
  std::vector<Case> cases;
  std::unordered_map<std::string, std::size_t> places;  // of keys in cases: a worker looks up each
};

// Written before main, by each file that has tables.
std::vector<DeclaredTable>& tables() {
  static std::vector<DeclaredTable> the_tables;
  return the_tables;
}

// Written while GoogleTest instantiates the tests, read afterwards.
Registry& registry() {
  static Registry the_registry;
  return the_registry;
}

// What is asked for and in no table yet.
std::vector<Case> made_to_order(CaseMaker make, const std::string& keys) {
  const auto& the_registry = registry();
  if (std::any_of(the_registry.cases.begin(), the_registry.cases.end(),
                  [&](const Case& item) { return matches_glob(item.key, keys); })) {
    return {};  // the tables have it
  }
  auto out = make(keys, the_registry.type);
  for (const auto& item : out) {
    if (const auto why = why_impractical(item, the_registry.type)) {
      throw UsageError("\"" + item.key + "\" is too large for this device: " + *why,
                       "ask for smaller sizes");
    }
  }
  return out;
}

}  // namespace

void PrintTo(const CaseParam& param, std::ostream* out) { *out << param.key; }

void use_device_type(at::DeviceType type) { registry().type = type; }

void allow_custom_cases(const std::string& keys) { registry().asked_for = keys; }

Tables::Tables(std::initializer_list<DeclaredTable> more) { tables().insert(tables().end(), more); }

const std::vector<DeclaredTable>& declared_tables() { return tables(); }

bool is_declared_family(const std::string& family) {
  const auto has_it = [&family](const std::vector<Case>& cases) {
    return std::any_of(cases.begin(), cases.end(),
                       [&](const Case& item) { return family_of(item.key) == family; });
  };
  return has_it(registry().cases) ||  // else of another device, or of none
         std::any_of(tables().begin(), tables().end(), [&](const DeclaredTable& table) {
           return has_it(table.cases(at::DeviceType::CPU)) ||
                  has_it(table.cases(at::DeviceType::CUDA));
         });
}

std::vector<CaseParam> declare_cases() {
  auto& the_registry = registry();
  const auto type = the_registry.type;
  std::vector<std::string> declared;
  const auto add = [&](Case item) {
    declared.push_back(item.key);
    the_registry.places.emplace(item.key, the_registry.cases.size());
    the_registry.cases.push_back(std::move(item));
  };
  for (const auto& table : tables()) {
    for (auto& item : table.cases(type)) {
      add(std::move(item));
    }
    if (table.custom != nullptr) {
      for (const auto& keys : globs_of(the_registry.asked_for)) {
        for (auto& item : made_to_order(table.custom, keys)) {
          add(std::move(item));
        }
      }
    }
  }
  require_distinct_keys(declared);
  std::vector<CaseParam> out;
  for (auto& key : declared) {
    out.push_back({std::move(key)});
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
  for (const auto& table : tables()) {
    if (table.custom == nullptr) {
      continue;
    }
    try {
      for (auto& made : table.custom(key, registry().type)) {
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
