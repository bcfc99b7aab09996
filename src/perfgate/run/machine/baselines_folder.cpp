#include "perfgate/run/machine/baselines_folder.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "perfgate/baseline/store.h"
#include "perfgate/core/errors.h"
#include "perfgate/core/files.h"
#include "perfgate/core/json.h"
#include "perfgate/gate/judge.h"
#include "perfgate_policy.h"

namespace perfgate {

namespace fs = std::filesystem;

Policy load_policy(const fs::path& baselines) {
  const fs::path path = baselines / "policy.json";
  const bool own = is_there(path);
  const std::string name = own ? path.string() : "perfgate's policy.json";
  const auto document = parse_strict(own ? read_file(path) : std::string(kPolicy), name);
  return policy_from_json(JsonCursor(document, name));
}

void require_folder(const fs::path& folder) {
  if (!fs::is_directory(folder)) {
    throw UsageError("no folder " + folder.string(), "create it, or name another with --baselines");
  }
}

fs::path baselines_folder(const fs::path& folder, const Suite& suite, bool refresh) {
  if (refresh &&
      (folder == suite.baselines || fs::is_directory(fs::absolute(folder).parent_path()))) {
    fs::create_directories(folder);
  }
  if (folder.empty() || folder != suite.baselines) {
    require_folder(folder);
  }
  return folder;
}

Baseline baseline_of(const fs::path& path, const DeviceIdentity& identity) {
  auto baseline =
      load_baseline(path).value_or(Baseline{{identity.kind, identity.model, {}}, {}, {}});
  if (baseline.device.kind != identity.kind || baseline.device.model != identity.model) {
    throw UsageError(fmt::format("{}: at \"/device\": a baseline of {}, and this device is {}",
                                 path.string(), baseline.device.model, identity.model),
                     "record one of this device with --refresh in another folder (--baselines)");
  }
  return baseline;
}

Baseline baseline_of(const fs::path& path, const DeviceIdentity& identity, const Policy& policy) {
  Baseline out = baseline_of(path, identity);
  require_known_classes(out, policy, path.string());
  return out;
}

}  // namespace perfgate
