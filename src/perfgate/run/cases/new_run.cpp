#include "perfgate/run/cases/new_run.h"

#include <algorithm>
#include <iterator>

#include "perfgate/core/plain_text.h"
#include "perfgate/run/machine/host.h"

namespace perfgate {

Run new_run(const GateSettings& settings, const DeviceIdentity& identity,
            const std::filesystem::path& baseline, const DeviceRecord& device) {
  Run out;
  out.partial = true;  // until it ends, what it is to measure is not measured
  out.exit_code = ExitCode::kFail;
  RunInfo& info = out.info;
  info.started = utc_now();
  info.family = settings.selection.family.empty() ? "all" : settings.selection.family;
  info.device = device;
  info.session = describe_session(identity, settings.suite);
  info.environment = identity.details;
  if (settings.suite.name != kOwnSuite) {  // else the commit says it
    info.environment["perfgate"] = perfgate_version();
  }
  info.baseline_path = plain(baseline.string());
  const auto& checked_in = settings.suite.baselines;
  std::error_code not_there;
  info.local_baseline =
      settings.paths.baselines != checked_in &&
      !std::filesystem::equivalent(settings.paths.baselines, checked_in, not_there);
  info.refresh = settings.refresh.wanted;
  std::transform(settings.argv.begin(), settings.argv.end(), std::back_inserter(info.command),
                 plain);
  info.selection = settings.selection.environment;
  info.shard = settings.selection.shard;
  info.shards = settings.selection.shards;
  return out;
}

}  // namespace perfgate
