#include "perfgate/gtest/run_on_device.h"

#include <iostream>

#include "perfgate/backends/device_choice.h"
#include "perfgate/core/errors.h"
#include "perfgate/process/interrupt.h"
#include "perfgate/run/machine/device_lock.h"
#include "perfgate/workloads/catalogue.h"

namespace perfgate {
namespace {

// What the very long runs of one worker of the case take, roughly.
Seconds planned(const std::string& case_key, const Backend& backend) {
  const auto device = at::Device(backend.torch_device).type();
  Seconds out{0};
  if (const auto item = find_or_make_case(case_key)) {
    for (const auto& [phase, work] : item->phases) {
      const Seconds expected = expected_length(work, device);
      const auto plan = backend.plan(expected);
      out += plan.very_long ? plan.length(expected) : Seconds(0);
    }
  }
  return out;
}

}  // namespace

FileLock lock_device(const Backend& backend, Console& console) {
  const auto lock_file = device_lock_path(backend.device->identity().device_id);
  return FileLock(lock_file, [&] {
    const std::string holder = FileLock::holder(lock_file);
    console.print("  waiting for another run on this device to end (" +
                  (holder.empty() ? "" : holder + ": ") + lock_file.string() + ")\n");
  });
}

Packages packages_of(const Options& options) {
  Packages out = options.workers.packages;
  out.programs = options.suite.programs;
  out.make_command = make_packages_command(options.suite);
  return out;
}

WorkerSettings worker_settings(const Options& options, const Backend& backend) {
  WorkerSettings out = options.workers;
  out.device = worker_device(backend.device->identity());
  out.planned = [&backend](const std::string& key) { return planned(key, backend); };
  return out;
}

WorkerSettings of_other_build(WorkerSettings settings, const std::filesystem::path& program) {
  settings.program = program;
  settings.device.load_ahead = false;
  settings.packages = program.parent_path().parent_path() / "packages";
  return settings;
}

int nothing_selected(const Options& options) {
  std::cout << "nothing of this selection is "
            << (options.selection.missing          ? "missing from the baseline"
                : options.selection.recorded       ? "in the baseline"
                : options.selection.learning       ? "still learning"
                : options.selection.family.empty() ? "left for this shard"
                                                   : "in family " + options.selection.family)
            << "\n";
  if (options.selection.environment.empty()) {
    return static_cast<int>(ExitCode::kSkipped);
  }
  std::cout << "the environment selects: " << options.selection.environment << "\n";
  return static_cast<int>(ExitCode::kRefused);
}

int ended_as(ExitCode code, const Console& console) {
  if (!console.progress_is_whole()) {
    throw SystemError("the progress file did not take all that was printed",
                      "free space where --progress goes, or name another file");
  }
  const auto signal_number = interrupted_by();
  return signal_number ? 128 + *signal_number : static_cast<int>(code);
}

}  // namespace perfgate
