#include "perfgate/baseline/store.h"

#include <fmt/format.h>

#include <cctype>
#include <nlohmann/json.hpp>

#include "perfgate/baseline/baseline_json.h"
#include "perfgate/core/errors.h"
#include "perfgate/core/json.h"
#include "perfgate/core/readable_json.h"

namespace perfgate {

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
  if (!std::filesystem::exists(path, error) && !error) {
    return std::nullopt;  // where looking itself failed, reading says why
  }
  const auto document = parse_strict(read_file(path), path.string());
  return baseline_from_json(JsonCursor(document, path.string()));
}

void update_baseline(const std::filesystem::path& path, const DeviceRecord& device,
                     const std::function<void(Baseline&)>& change, FileCalls& calls) {
  const FileLock guard(lock_path(path));
  Baseline baseline = load_baseline(path).value_or(Baseline{device, {}, {}, {}});
  if (baseline.device.kind != device.kind || baseline.device.model != device.model) {
    throw UsageError(fmt::format("{}: a baseline of {}, and this device is {}", path.string(),
                                 baseline.device.model, device.model),
                     "name another folder with --baselines, or remove the file");
  }
  change(baseline);
  write_atomically(path, dump_readable(to_json(baseline)), calls);
}

}  // namespace perfgate
