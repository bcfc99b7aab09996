// One case's body over and over, and the commands by which a profiler sees it and nothing else.

#include <iostream>

#include "perfgate/baseline/store.h"
#include "perfgate/core/errors.h"
#include "perfgate/core/numbers.h"
#include "perfgate/core/shell.h"
#include "perfgate/gtest/commands.h"
#include "perfgate/gtest/run_on_device.h"
#include "perfgate/run/machine/baselines_folder.h"
#include "perfgate/worker/repeated_body.h"
#include "perfgate/worker/worker_process.h"
#include "perfgate/workloads/catalogue.h"

namespace perfgate {
namespace {

// `command`: this very one. Clocks stay as they are, which ncu would lock; nsys keeps what runs
// between two runs of the body as well.
std::string profiler_commands(const std::string& kind, const std::string& command) {
  if (kind == "cuda") {
    return "  ncu --profile-from-start=off --clock-control=none --graph-profiling=node "
           "--force-overwrite --export=body " +
           command +
           "\n  nsys profile --trace=cuda --sample=none --capture-range=cudaProfilerApi "
           "--capture-range-end=none "
           "--force-overwrite=true --output=body " +
           command + "\n";
  }
  return "  pipes=$(mktemp -d) && mkfifo $pipes/control $pipes/ack\n"
         "  PERFGATE_PERF_CONTROL=$pipes/control,$pipes/ack perf record --delay=-1 "
         "--control=fifo:$pipes/control,$pipes/ack --output=body.perf " +
         command + "\n";
}

}  // namespace

int repeat_command(const Options& options, const Backend& backend) {
  backend.prepare_worker();
  require_first_gpu(options, backend);
  const std::string& key = options.command.worker;
  const auto item = find_or_make_case(key);
  if (!item) {
    throw UsageError("no case \"" + key + "\"", "perfgate --list_cases prints every key");
  }
  const auto identity = backend.device->identity();
  const Baseline baseline =
      baseline_of(baseline_path(options.paths.baselines, identity.model), identity);
  try {
    for (const auto& [phase, a_run] :
         repeat_body(*item, backend, tuning_of(baseline, key),
                     packages_for(packages_of(options), backend), options.command.repeat)) {
      std::cout << key_of_phase(key, phase) << ": " << std::to_string(options.command.repeat)
                << " x " << decimal_text(Microseconds(a_run).count()) << " us\n";
    }
  } catch (const Unsupported& refusal) {
    throw UsageError(key + " cannot run here", refusal.what());
  }
  std::cout << "Time of the clock on the wall, for orientation. A profiler sees the body alone by\n"
            << profiler_commands(identity.kind, shell_command(options.argv));
  return static_cast<int>(ExitCode::kOk);
}

}  // namespace perfgate
