#include "perfgate/baseline/baseline_json.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "perfgate/baseline/case_json.h"
#include "perfgate/baseline/device_json.h"
#include "perfgate/core/errors.h"
#include "perfgate/core/json.h"
#include "perfgate/core/pattern.h"
#include "perfgate/core/readable_json.h"
#include "perfgate/model/case_key.h"
#include "perfgate/model/measurement_json.h"

namespace perfgate {
namespace {

using nlohmann::json;

constexpr const char* kDeviceFile = "device.json";
constexpr const char* kCases = "cases";
constexpr const char* kKernels = "kernels";
constexpr const char* kSources = "sources";
constexpr const char* kTunings = "tunings";
// A session of a case takes one line, so that a refresh's diff is a line a case.
constexpr std::size_t kColumns = 240;

std::string file_of(const char* part, const std::string& case_key) {
  return std::string(part) + "/" + family_of(case_key) + ".json";
}

json kernels_to_json(const CaseRecord& record) {
  json out = json::object();
  for (const auto& [phase, part] : record.phases) {
    if (!part.kernels.empty()) {
      out[std::string(name_of(phase))] = to_json(part.kernels);
    }
  }
  return out;
}

void read_kernels(const JsonCursor& cursor, CaseRecord& record) {
  for (const auto& [name, item] : cursor.members()) {
    const auto phase = from_name<Phase>(name);
    if (!phase || record.phases.count(*phase) == 0) {
      item.fail("no phase of its case");
    }
    record.phases.at(*phase).kernels = kernels_from_json(item);
  }
}

std::string file_of_source(const std::string& version) {
  return std::string(kSources) + "/" + version + ".txt";
}

bool is_source_file(const std::string& name) {
  return name.starts_with(std::string(kSources) + "/");
}

// Of the sources those that a recorded kernel names.
void add_sources(const Baseline& baseline, BaselineFiles& files) {
  for (const auto& [key, record] : baseline.cases) {
    for (const auto& [phase, part] : record.phases) {
      for (const auto& kernel : part.kernels) {
        const auto text = baseline.kernel_sources.find(kernel.source);
        const std::string name = file_of_source(kernel.source);
        if (text != baseline.kernel_sources.end() && is_baseline_file(name)) {
          files[name] = text->second;
        }
      }
    }
  }
}

// Visits the members of every file of a part, each a case of the file's family or its package.
template <class Visit>
void for_each_member(const std::map<std::string, json>& documents, const std::string& folder,
                     const char* part, const Visit& visit) {
  for (const auto& [name, document] : documents) {
    if (name.rfind(std::string(part) + "/", 0) != 0) {
      continue;
    }
    const JsonCursor cursor(document, folder + "/" + name);
    require_schema_version(cursor);
    cursor.allow_only({"schema_version", part});
    for (const auto& [key, item] : cursor.at(part).members()) {
      if (!is_valid_key(key)) {
        item.fail("not a case key");
      }
      if (file_of(part, key) != name) {
        item.fail("a case of another family: it belongs into " + file_of(part, key));
      }
      visit(key, item);
    }
  }
}

// A file of cases that got lost would make all of them cases without a baseline.
void require_files_of(const std::set<std::string>& families,
                      const std::map<std::string, json>& documents, const JsonCursor& named) {
  for (const auto& family : families) {
    if (documents.count(std::string(kCases) + "/" + family + ".json") == 0) {
      named.fail("there is no cases/" + family + ".json");
    }
  }
  for (const auto& [name, document] : documents) {
    const std::string family = std::filesystem::path(name).stem();
    if (name.rfind(std::string(kCases) + "/", 0) == 0 && families.count(family) == 0) {
      named.fail("does not name " + family + ", and there is a " + name);
    }
  }
}

}  // namespace

bool is_baseline_file(const std::string& name) {
  static const Pattern pattern(
      R"(device\.json|(cases|kernels|tunings)/[A-Za-z0-9_.-]+\.json|sources/[0-9a-f]+\.txt)");
  return pattern.match(name).has_value();
}

BaselineFiles to_files(const Baseline& baseline) {
  std::map<std::string, json> documents;
  documents[kDeviceFile] = device_to_json(baseline);
  for (const auto& [key, record] : baseline.cases) {
    documents[file_of(kCases, key)][kCases][key] = case_to_json(record);
    if (json kernels = kernels_to_json(record); !kernels.empty()) {
      documents[file_of(kKernels, key)][kKernels][key] = std::move(kernels);
    }
  }
  for (const auto& [package, tuning] : baseline.package_tunings) {
    documents[file_of(kTunings, package)][kTunings][package] = to_json(tuning);
  }
  BaselineFiles out;
  for (auto& [name, document] : documents) {
    document["schema_version"] = kBaselineSchemaVersion;
    out[name] = dump_readable(document, kColumns);
  }
  add_sources(baseline, out);
  return out;
}

Baseline baseline_from_files(const BaselineFiles& files, const std::string& folder) {
  std::map<std::string, json> documents;
  std::map<std::string, std::string> sources;
  for (const auto& [name, text] : files) {
    if (is_source_file(name)) {
      sources[std::filesystem::path(name).stem()] = text;
    } else {
      documents[name] = parse_strict(text, folder + "/" + name);
    }
  }
  const auto device = documents.find(kDeviceFile);
  if (device == documents.end()) {
    throw UsageError(folder + " has no device.json, and is no baseline",
                     "restore it from version control, or name another folder with --baselines");
  }
  const JsonCursor described(device->second, folder + "/" + kDeviceFile);
  Baseline out = device_from_json(described);
  require_files_of(families_from_json(described), documents, described.at("families"));
  for_each_member(documents, folder, kCases, [&](const std::string& key, const JsonCursor& cursor) {
    out.cases[key] = case_from_json(cursor, out);
  });
  for_each_member(documents, folder, kKernels,
                  [&](const std::string& key, const JsonCursor& cursor) {
                    // Of a case that somebody removed they are left over until the next refresh.
                    if (const auto record = out.cases.find(key); record != out.cases.end()) {
                      read_kernels(cursor, record->second);
                    }
                  });
  for_each_member(documents, folder, kTunings, [&](const std::string& package, const auto& cursor) {
    out.package_tunings[package] = package_tuning_from_json(cursor);
  });
  out.kernel_sources = std::move(sources);
  return out;
}

}  // namespace perfgate
