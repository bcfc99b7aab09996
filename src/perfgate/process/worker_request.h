#pragma once
// What a worker is told on its standard input: a line once nobody else measures on the device, and
// then, as a line of JSON, what it is asked for. So it can load LibTorch while another one
// measures, and open the device while that one ends and its report is judged.

#include <map>
#include <string>

#include "perfgate/model/worker_report.h"

namespace perfgate {

/// Asks for the device's ceilings instead of a case.
constexpr const char* kMachineKey = "machine";

/// The first line.
constexpr const char* kDeviceIsFree = "the device is free\n";

struct WorkerRequest {
  std::string case_key;
  bool check = true;           ///< compare the last timed output with the reference
  double inject_slowdown = 0;  ///< percent
  /// What the run measured of the device, unit in name.
  std::map<std::string, double> ceilings = {};
  Tuning tuning = {};  ///< what an earlier worker of the case found
};

/// On one line.
std::string to_text(const WorkerRequest& request);
/// Throws UsageError on anything else than what to_text writes.
WorkerRequest worker_request_from_text(const std::string& text);

}  // namespace perfgate
