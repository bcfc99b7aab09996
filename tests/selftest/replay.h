#pragma once
// A device that is a recording: each worker "measures" the next process of fixtures/data. The whole
// path from TEST_P to exit code then runs on real noise, on any machine, the same every time.

#include <map>
#include <string>
#include <vector>

#include "perfgate/backends/backend.h"
#include "perfgate/workloads/case.h"

namespace perfgate::selftest {

/// Net medians in us, by operation, one a recorded process: the elapsed time less the event floor
/// that was measured on that host (2.70 us, an empty kernel between the same events).
std::map<std::string, std::vector<double>> read_recording(const std::string& path);

/// Cases `replay/<operation>` for every recorded operation.
std::vector<Case> replay_cases(at::DeviceType device);

/// Called by a body: it stands for this operation, so many times as slow as recorded.
void play(const std::string& operation, double times_slower = 1);

/// Plays the operation that the body selects. Which process comes next is counted in the folder
/// $PERFGATE_REPLAY_TAPE, one file an operation, so that consecutive workers differ.
Backend make_replay_backend(const std::string& device);

}  // namespace perfgate::selftest
