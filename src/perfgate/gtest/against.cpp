#include "perfgate/run/compare/against.h"

#include <chrono>
#include <thread>

#include "perfgate/gtest/commands.h"
#include "perfgate/gtest/run_on_device.h"
#include "perfgate/gtest/selected_cases.h"
#include "perfgate/gtest/test_filter.h"
#include "perfgate/process/interrupt.h"
#include "perfgate/process/subprocess.h"
#include "perfgate/run/machine/baselines_folder.h"
#include "perfgate/run/machine/other_build.h"

namespace perfgate {
namespace {

WorkerSettings of_older_build(const WorkerSettings& newer, const Against& against) {
  WorkerSettings out = against.program.empty() ? newer : of_other_build(newer, against.program);
  out.variables = against.variables_before;
  return out;
}

}  // namespace

int against_command(const Options& options, const Backend& backend) {
  const auto keys = kept_by_filter(selected_cases(options, backend));
  if (keys.empty()) {
    return nothing_selected(options);
  }
  catch_interrupts();
  adopt_orphans();
  Console console(options);
  FileLock lock = lock_device(backend, console);
  lock.pass_to_children();
  WorkerSettings newer = worker_settings(options, backend);
  newer.device.load_ahead = false;  // the other build's processes would have it beside them
  const WorkerSettings older = of_older_build(newer, options.against);
  newer.variables = options.against.variables_now;
  ProcessLauncher before(older);
  ProcessLauncher now(newer);
  const ExitCode code = compare_builds(
      {keys, baselines_folder(options.paths.baselines, options.suite, false), older.program,
       newer.program, options.against.variables_before, options.against.variables_now,
       options.against.most_pairs, options.inject_slowdown, options.selection.environment,
       options.against.program.empty() ? options.suite.commit : commit_of(older.program),
       options.suite.commit},
      {*backend.device, before, now, console,
       [](Seconds pause) { std::this_thread::sleep_for(pause); },
       [] { return Seconds(std::chrono::steady_clock::now().time_since_epoch()); }});
  return ended_as(code, console);
}

}  // namespace perfgate
