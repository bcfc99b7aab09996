// One case here, with the tuning that is recorded: so that what is looked at by hand is what the
// gate measures.

#include "perfgate/baseline/store.h"
#include "perfgate/core/errors.h"
#include "perfgate/gtest/commands.h"
#include "perfgate/gtest/run_on_device.h"
#include "perfgate/run/machine/baselines_folder.h"
#include "perfgate/worker/worker_process.h"

namespace perfgate {

void require_first_gpu(const Options& options, const Backend& backend) {
  if (options.device.find(':') != std::string::npos && options.device != "cuda:0") {
    throw UsageError("this process works on the first GPU that it sees, not on " + options.device,
                     "CUDA_VISIBLE_DEVICES=" + backend.device->identity().device_id +
                         " perfgate --device=cuda ...");
  }
}

int worker_command(const Options& options, const Backend& backend) {
  backend.prepare_worker();  // first: where the heap starts is part of what is measured
  const auto identity = backend.device->identity();
  require_first_gpu(options, backend);
  const Baseline baseline =
      baseline_of(baseline_path(options.paths.baselines, identity.model), identity);
  answer_by_hand({.case_key = options.command.worker,
                  .inject_slowdown = options.inject_slowdown,
                  .tuning = tuning_of(baseline, options.command.worker)},
                 backend, packages_of(options));
  return static_cast<int>(ExitCode::kOk);
}

}  // namespace perfgate
