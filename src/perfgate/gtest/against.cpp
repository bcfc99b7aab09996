#include "perfgate/run/against.h"

#include <chrono>
#include <iostream>
#include <thread>

#include "perfgate/core/errors.h"
#include "perfgate/gtest/commands.h"
#include "perfgate/gtest/run_on_device.h"
#include "perfgate/gtest/selected_cases.h"
#include "perfgate/process/interrupt.h"
#include "perfgate/process/subprocess.h"

namespace perfgate {
namespace {

// The older build measures by its own compiled packages, where it has some: they are part of it.
WorkerSettings of_older_build(WorkerSettings settings, const Against& against) {
  settings.variables = against.variables;
  if (!against.program.empty()) {
    settings.program = against.program;
    const auto packages = against.program.parent_path().parent_path() / "packages";
    if (std::filesystem::is_directory(packages)) {
      settings.packages = packages;
    }
  }
  return settings;
}

// Of two launchers, only one may have processes; one that loads ahead would have them beside the
// other's.
WorkerSettings one_at_a_time(WorkerSettings settings) {
  settings.device.load_ahead = false;
  return settings;
}

}  // namespace

int against_command(const Options& options, const Backend& backend) {
  const auto keys = selected_cases(options, backend);
  if (keys.empty()) {
    std::cout << "nothing of this selection is in family " << options.selection.family << "\n";
    return static_cast<int>(options.selection.environment.empty() ? ExitCode::kSkipped
                                                                  : ExitCode::kRefused);
  }
  catch_interrupts();
  adopt_orphans();
  Console console(options.colour, options.paths);
  FileLock lock = lock_device(backend, console);
  lock.pass_to_children();
  const WorkerSettings newer = one_at_a_time(worker_settings(options, backend));
  const WorkerSettings older = of_older_build(newer, options.against);
  ProcessLauncher before(older);
  ProcessLauncher now(newer);
  const ExitCode code = compare_builds(
      {keys, options.paths.baselines, older.program, newer.program, options.against.variables,
       options.against.most_pairs, options.inject_slowdown, options.selection.environment},
      {*backend.device, before, now, console,
       [](Seconds pause) { std::this_thread::sleep_for(pause); },
       [] { return Seconds(std::chrono::steady_clock::now().time_since_epoch()); }});
  if (!console.progress_is_whole()) {
    throw SystemError("the progress file did not take all that was printed",
                      "free space where --progress goes, or name another file");
  }
  if (const auto signal_number = interrupted_by()) {
    return 128 + *signal_number;
  }
  return static_cast<int>(code);
}

}  // namespace perfgate
