#include "perfgate/baseline/store.h"

#include <fmt/format.h>

#include <cctype>
#include <nlohmann/json.hpp>

#include "perfgate/baseline/baseline_json.h"
#include "perfgate/core/errors.h"
#include "perfgate/core/json.h"
#include "perfgate/core/readable_json.h"

namespace perfgate {
namespace {

Baseline read_back(const std::string& text, const std::string& name) {
  const auto document = parse_strict(text, name);
  return baseline_from_json(JsonCursor(document, name));
}

}  // namespace

std::filesystem::path baseline_path(const std::filesystem::path& folder, const std::string& model) {
  std::string name = model;
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_' && c != '-' && c != '.') {
      c = '_';
    }
  }
  return folder / (name + ".json");
}

std::filesystem::path lock_path(std::filesystem::path path) { return path += ".lock"; }

std::optional<Baseline> load_baseline(const std::filesystem::path& path) {
  std::error_code error;
  // Not exists(): a link that leads nowhere is a mistake, not a baseline that is not there yet.
  if (std::filesystem::symlink_status(path, error).type() ==
      std::filesystem::file_type::not_found) {
    return std::nullopt;  // where looking itself failed, reading says why
  }
  return read_back(read_file(path), path.string());
}

void update_baseline(const std::filesystem::path& path, const DeviceRecord& device,
                     const std::function<void(Baseline&)>& change, FileCalls& calls,
                     const std::function<void(const Baseline&)>& verify) {
  const FileLock guard(lock_path(path));
  Baseline baseline = load_baseline(path).value_or(Baseline{device, {}, {}, {}});
  if (baseline.device.kind != device.kind || baseline.device.model != device.model) {
    throw UsageError(fmt::format("{}: a baseline of {}, and this device is {}", path.string(),
                                 baseline.device.model, device.model),
                     "name another folder with --baselines, or remove the file");
  }
  change(baseline);
  const std::string text = dump_readable(to_json(baseline));
  verify(read_back(text, path.string() + " as it would be written"));
  write_atomically(path, text, calls);
}

std::optional<std::string> unreadable(const DeviceRecord& device, const std::string& case_key,
                                      const CaseRecord& record,
                                      const std::map<std::string, SessionRecord>& sessions) {
  const Baseline alone{device, sessions, {{case_key, record}}, {}};
  try {
    read_back(dump_readable(to_json(alone)), "the case");
  } catch (const UsageError& error) {
    return error.problem();
  }
  return std::nullopt;
}

}  // namespace perfgate
