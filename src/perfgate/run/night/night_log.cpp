#include "perfgate/run/night/night_log.h"

#include <nlohmann/json.hpp>

#include "perfgate/baseline/case_json.h"
#include "perfgate/baseline/store.h"
#include "perfgate/core/readable_json.h"

namespace perfgate {
namespace {

using nlohmann::json;

constexpr int kSchemaVersion = 2;

Improvement improvement_from(const JsonCursor& cursor) {
  cursor.allow_only({"date", "libtorch", "commit", "revision", "measurements"});
  Improvement out{cursor.at("date").text(),
                  cursor.at("libtorch").text(),
                  cursor.at("commit").text(),
                  cursor.at("revision").text(),
                  {}};
  for (const auto& [name, item] : cursor.at("measurements").members()) {
    out.measurements[metric_from_json(item, name)] = measurements_from_json(item);
  }
  return out;
}

Unjudged unjudged_from(const JsonCursor& cursor) {
  cursor.allow_only({"nights", "first", "last"});
  constexpr std::int64_t kMost = 1'000'000;
  const auto nights = cursor.at("nights").integer();
  if (nights < 1 || nights > kMost) {
    cursor.at("nights").fail("expected 1 to 1000000");
  }
  return {static_cast<int>(nights), cursor.at("first").text(), cursor.at("last").text()};
}

json to_json(const Improvement& item) {
  json measurements = json::object();
  for (const auto& [metric, values] : item.measurements) {
    measurements[text_of(metric)] = values;
  }
  return {{"date", item.date},
          {"libtorch", item.libtorch},
          {"commit", item.commit},
          {"revision", item.revision},
          {"measurements", measurements}};
}

json to_json(const Unjudged& item) {
  return {{"nights", item.nights}, {"first", item.first}, {"last", item.last}};
}

template <class Entry>
json to_json(const std::map<std::string, std::map<std::string, Entry>>& devices) {
  json out = json::object();
  for (const auto& [device, cases] : devices) {
    for (const auto& [key, entry] : cases) {
      out[device][key] = to_json(entry);
    }
  }
  return out;
}

template <class Entry>
std::map<std::string, std::map<std::string, Entry>> entries_from(
    const JsonCursor& cursor, Entry (*entry_from)(const JsonCursor&)) {
  std::map<std::string, std::map<std::string, Entry>> out;
  for (const auto& [device, cases] : cursor.members()) {
    for (const auto& [key, item] : cases.members()) {
      out[device].emplace(key, entry_from(item));
    }
  }
  return out;
}

}  // namespace

std::filesystem::path night_log_path(const std::filesystem::path& folder,
                                     const std::string& model) {
  return folder / (file_name_of(model) + ".json");
}

NightLog load_night_log(const std::filesystem::path& path) {
  if (!is_there(path)) {
    return {};
  }
  const auto document = parse_strict(read_file(path), path.string());
  const JsonCursor cursor(document, path.string());
  cursor.allow_only({"schema_version", "improvements", "unjudged"});
  if (cursor.at("schema_version").integer() != kSchemaVersion) {
    cursor.at("schema_version")
        .fail("written by another perfgate",
              "remove the file: improvements that it holds are not recorded, "
              "and will be found again");
  }
  return {entries_from(cursor.at("improvements"), improvement_from),
          entries_from(cursor.at("unjudged"), unjudged_from)};
}

void update_night_log(const std::filesystem::path& path,
                      const std::function<void(NightLog&)>& change, FileCalls& calls) {
  std::filesystem::create_directories(path.parent_path());
  const FileLock guard(lock_path(path));
  NightLog log = load_night_log(path);
  change(log);
  const json document = {{"schema_version", kSchemaVersion},
                         {"improvements", to_json(log.improvements)},
                         {"unjudged", to_json(log.unjudged)}};
  write_atomically(path, dump_readable(document), calls);
}

Unjudged one_night_more(Unjudged before, const std::string& now) {
  const auto day = [](const std::string& time) { return time.substr(0, 10); };
  if (before.nights == 0) {
    return {1, now, now};
  }
  before.nights += day(before.last) == day(now) ? 0 : 1;
  before.last = now;
  return before;
}

}  // namespace perfgate
