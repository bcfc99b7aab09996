#pragma once
// What an exception says of the case that threw it: that it failed, or that it cannot run here.

#include <exception>
#include <string>

#include "perfgate/backends/backend.h"
#include "perfgate/model/worker_report.h"
#include "perfgate/workloads/case.h"

namespace perfgate {

/// Without the stack trace that LibTorch puts behind the reason.
std::string first_line_of(const std::exception& error);

/// How far a case came before it failed.
struct Progress {
  bool has_run = false;  ///< once, after which it has not refused: a fault then is one
  double available = 0;  ///< bytes of the device that were free before it was prepared
};

/// To be called where an exception of `item` is being handled: writes its status and message into
/// the report. `backend`: asked for the device's memory where that ran out.
void report_failure(const Case& item, const Backend& backend, const Progress& progress,
                    WorkerReport& report);

}  // namespace perfgate
