#include "perfgate/baseline/store.h"

#include <fmt/format.h>

#include "perfgate/baseline/baseline_folder.h"
#include "perfgate/baseline/baseline_json.h"
#include "perfgate/core/ascii.h"
#include "perfgate/core/errors.h"

namespace perfgate {
namespace {

// The last one that has the script.
constexpr const char* kCarryOverCommit = "48b7938f5f";

// Before folders, a baseline was one file.
void refuse_old_form(std::filesystem::path path) {
  path += ".json";
  if (is_there(path)) {
    throw UsageError(
        path.string() + " is a baseline in one file, which this perfgate does not read",
        fmt::format("carry it over (git show {}:baselines/carry_over.py > carry_over.py; python3 "
                    "carry_over.py {}) and remove it, or remove it and record anew with --refresh",
                    kCarryOverCommit, path.string()));
  }
}

}  // namespace

std::string file_name_of(const std::string& model) {
  std::string out = model;
  for (char& c : out) {
    if (!is_alnum(c) && c != '_' && c != '-' && c != '.') {
      c = '_';
    }
  }
  return out;
}

std::filesystem::path baseline_path(const std::filesystem::path& folder, const std::string& model) {
  return folder / file_name_of(model);
}

std::filesystem::path lock_path(std::filesystem::path path) { return path += ".lock"; }

std::optional<Baseline> load_baseline(const std::filesystem::path& path) {
  refuse_old_form(path);
  const auto files = read_folder(path);
  return files ? std::optional(baseline_from_files(*files, path.string())) : std::nullopt;
}

void update_baseline(const std::filesystem::path& path, const DeviceRecord& device,
                     const std::function<void(Baseline&)>& change, FileCalls& calls,
                     const std::function<void(const Baseline&)>& verify) {
  const FileLock guard(lock_path(path));
  refuse_old_form(path);
  const auto before = read_folder(path);
  Baseline baseline =
      before ? baseline_from_files(*before, path.string()) : Baseline{device, {}, {}};
  if (baseline.device.kind != device.kind || baseline.device.model != device.model) {
    throw UsageError(fmt::format("{}: a baseline of {}, and this device is {}", path.string(),
                                 baseline.device.model, device.model),
                     "name another folder with --baselines, or remove this one");
  }
  change(baseline);
  const BaselineFiles after = to_files(baseline);
  verify(baseline_from_files(after, path.string() + " as it would be written"));
  replace_files(path, before.value_or(BaselineFiles{}), after, calls);
}

std::optional<std::string> unreadable(const DeviceRecord& device, const std::string& case_key,
                                      const CaseRecord& record,
                                      const std::map<std::string, SessionRecord>& sessions) {
  const Baseline alone{device, sessions, {{case_key, record}}};
  try {
    (void)baseline_from_files(to_files(alone), "the case");
  } catch (const UsageError& error) {
    return error.problem();
  }
  return std::nullopt;
}

}  // namespace perfgate
