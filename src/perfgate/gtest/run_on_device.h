#pragma once
// What every run that measures on a device begins and ends with: its lock, how workers are started
// there, and its exit code.

#include <filesystem>

#include "perfgate/backends/backend.h"
#include "perfgate/core/files.h"
#include "perfgate/process/launcher.h"
#include "perfgate/run/cli/console.h"
#include "perfgate/run/cli/options.h"
#include "perfgate/workloads/packages.h"

namespace perfgate {

/// Waits until no other run is on the device; says so while it does. Throws SystemError where the
/// lock cannot be had.
FileLock lock_device(const Backend& backend, Console& console);

/// The suite's compiled packages, in the folder that the options name.
Packages packages_of(const Options& options);

/// The options' settings on this device. Borrows the backend.
WorkerSettings worker_settings(const Options& options, const Backend& backend);

/// The same for another build, which measures by the compiled packages of its own folder. Its
/// workers do not load ahead, for of several builds one alone may have processes.
WorkerSettings of_other_build(WorkerSettings settings, const std::filesystem::path& program);

/// Says that the options select nothing, and gives the exit code of that.
int nothing_selected(const Options& options);

/// The exit code of a run that came to `code`, or of the signal that ended it. Throws SystemError
/// where the progress file did not take all that was printed.
int ended_as(ExitCode code, const Console& console);

}  // namespace perfgate
