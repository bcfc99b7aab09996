#pragma once
// A whole process as a worker: what it is told, and how it answers. What it measures is worker.h's.

#include <filesystem>

#include "perfgate/backends/backend.h"
#include "perfgate/process/worker_interface.h"
#include "perfgate/workloads/packages.h"

namespace perfgate {

/// Called first: the process ends with its parent, and hands nothing of it to its children.
void become_worker();

/// Whether the parent says, on the standard input, that the device is free; false when it never
/// does.
bool wait_for_device();

/// Opens the device and answers, through `pipe`, the one request that the parent then sends on the
/// standard input, and lets it measure there (see worker_interface.h). `packages`: the folder of
/// --packages. Throws UsageError on a request that cannot be met.
[[noreturn]] void answer_parent(int pipe, const Backend& backend, const Packages& packages);

/// Measures what is asked for and prints the report on the standard output; whoever asks has called
/// backend.prepare_worker(). Throws as answer_parent does.
void answer_by_hand(const WorkerRequest& request, const Backend& backend, const Packages& packages);

/// Where the device's packages lie below `packages`: those of different kinds of device have the
/// same names.
Packages packages_for(const Packages& packages, const Backend& backend);

}  // namespace perfgate
