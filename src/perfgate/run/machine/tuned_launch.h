#pragma once
// Cases that search for their tuning: a process that has searched is followed by one that is told
// what was found, and only that one counts.

#include "perfgate/process/launcher.h"

namespace perfgate {

/// Launches a worker that is told `tuning`; where it searched nevertheless, another one that is
/// told what it found, which `tuning` becomes.
WorkerReport launch_tuned(Launcher& launcher, WorkerRequest request, Tuning& tuning);

}  // namespace perfgate
