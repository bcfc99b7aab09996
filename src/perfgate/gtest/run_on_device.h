#pragma once
// What every run that measures on a device begins with: its lock, and how workers are started
// there.

#include <filesystem>

#include "perfgate/backends/backend.h"
#include "perfgate/core/files.h"
#include "perfgate/process/launcher.h"
#include "perfgate/run/console.h"
#include "perfgate/run/options.h"

namespace perfgate {

/// Waits until no other run is on the device; says so while it does. Throws SystemError where the
/// lock cannot be had.
FileLock lock_device(const Backend& backend, Console& console);

/// The options' settings on this device. Borrows the backend.
WorkerSettings worker_settings(const Options& options, const Backend& backend);

/// The same for another build, which measures by its own compiled packages where it has some. Its
/// workers do not load ahead, for of several builds one alone may have processes.
WorkerSettings of_other_build(WorkerSettings settings, const std::filesystem::path& program);

}  // namespace perfgate
