#include "perfgate/run/compare/bisect.h"

#include <chrono>
#include <memory>
#include <thread>

#include "perfgate/gtest/commands.h"
#include "perfgate/gtest/run_on_device.h"
#include "perfgate/gtest/selected_cases.h"
#include "perfgate/gtest/test_filter.h"
#include "perfgate/process/interrupt.h"
#include "perfgate/process/subprocess.h"
#include "perfgate/run/compare/build_maker.h"
#include "perfgate/run/machine/baselines_folder.h"

namespace perfgate {

int bisect_command(const Options& options, const Backend& backend) {
  const auto builds = read_builds(options.bisect.list);
  const auto keys = kept_by_filter(selected_cases(options, backend));
  if (keys.empty()) {
    return nothing_selected(options);
  }
  // In the build folder: a results folder without results would be what --merge reads.
  const auto log = options.workers.program.parent_path().parent_path() / "bisect_make.txt";
  std::filesystem::remove(log);
  BuildMaker maker(options.suite, options.bisect.make, log);
  if (options.bisect.make.empty()) {  // a misspelt line is no build that cannot be made
    for (const auto& build : builds) {
      (void)maker.make(build);
    }
  }
  catch_interrupts();
  adopt_orphans();
  Console console(options);
  FileLock lock = lock_device(backend, console);
  lock.pass_to_children();
  const WorkerSettings usual = worker_settings(options, backend);
  const auto make = [&](const std::string& name) {
    const MadeProgram made = maker.make(name);
    if (!made.why_not.empty()) {
      return MadeBuild{nullptr, "", made.why_not};
    }
    return MadeBuild{std::make_unique<ProcessLauncher>(of_other_build(usual, made.program)),
                     made.program.string(), ""};
  };
  const ExitCode code = bisect_builds(
      {builds, keys, baselines_folder(options.paths.baselines, options.suite, false),
       options.against.most_pairs, options.selection.environment},
      {*backend.device, make, console, [](Seconds pause) { std::this_thread::sleep_for(pause); },
       [] { return Seconds(std::chrono::steady_clock::now().time_since_epoch()); }});
  return ended_as(code, console);
}

}  // namespace perfgate
