#include "perfgate/run/night/published.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "perfgate/core/files.h"
#include "perfgate/core/json.h"
#include "perfgate/model/case_key.h"

namespace perfgate {
namespace {

constexpr int kSchemaVersion = 3;

Published published_from(const JsonCursor& cursor) {
  cursor.allow_only({"schema_version", "device", "source", "values"});
  if (cursor.at("schema_version").integer() != kSchemaVersion) {
    cursor.at("schema_version").fail("this perfgate reads schema version 3");
  }
  Published out;
  out.device = cursor.at("device").text();
  out.source = cursor.at("source").text();
  for (const auto& [key, item] : cursor.at("values").members()) {
    for (const auto& entry : item.elements()) {
      entry.allow_only({"value", "unit"});
      out.values[key].push_back(
          {entry.at("value").positive_number(), entry.at("unit").one_of<Unit>()});
    }
  }
  return out;
}

}  // namespace

std::vector<Published> load_published(const std::vector<Outcome>& outcomes,
                                      const std::filesystem::path& baselines) {
  std::set<std::string> families;
  for (const auto& outcome : outcomes) {
    families.insert(family_of(outcome.case_key));
  }
  std::vector<Published> out;
  for (const auto& family : families) {
    const std::filesystem::path path = baselines / "published" / (family + ".json");
    if (is_there(path)) {
      const auto document = parse_strict(read_file(path), path.string());
      out.push_back(published_from(JsonCursor(document, path.string())));
    }
  }
  return out;
}

}  // namespace perfgate
