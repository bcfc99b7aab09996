#include "perfgate/run/new_run.h"

#include "perfgate/run/host.h"

namespace perfgate {

Run new_run(const GateSettings& settings, const DeviceIdentity& identity,
            const std::filesystem::path& baseline, const DeviceRecord& device) {
  Run out;
  out.partial = true;
  RunInfo& info = out.info;
  info.started = utc_now();
  info.family = settings.selection.family.empty() ? "all" : settings.selection.family;
  info.device = device;
  info.session = describe_session(identity);
  info.environment = identity.details;
  info.baseline_path = baseline.string();
  info.local_baseline = !std::filesystem::equivalent(
      settings.paths.baselines, std::filesystem::path(PERFGATE_SOURCE_DIR) / "baselines");
  info.command = settings.argv;
  info.selection = settings.selection.environment;
  info.shard = settings.selection.shard;
  info.shards = settings.selection.shards;
  return out;
}

}  // namespace perfgate
