#pragma once
// What passes between a parent and its worker. The worker is told on its standard input: a line
// once nobody else measures on the device; as a line of JSON, what it is asked for; and a line once
// it has the device to itself. So it can load LibTorch and find its device while another one
// measures, and open the device and prepare its case while that one checks its numbers, ends and is
// judged. It answers on a pipe: with a line once it measures no more, and then with its report, a
// line of JSON. Request and report say the version of all this, so that one parent can drive
// workers that were built from another commit.

#include <map>
#include <string>

#include "perfgate/core/errors.h"
#include "perfgate/model/worker_report.h"

namespace perfgate {

/// Raised with every change of the flags that start a worker (launcher.cpp), of a request or of a
/// report.
constexpr int kWorkerInterface = 6;

/// Asks for the device's ceilings instead of a case.
constexpr const char* kMachineKey = "machine";

/// The first line: it may open the device.
constexpr const char* kDeviceIsFree = "the device is free\n";

/// The line behind the request: it may measure.
constexpr const char* kMayMeasure = "measure\n";

/// The line before a report, of a worker that goes on to check what it measured.
constexpr const char* kMeasuresNoMore = "measures no more\n";

/// In a report's environment: why the Chrome trace that was asked for could not be written.
constexpr const char* kNoChromeTrace = "no_chrome_trace";

struct WorkerRequest {
  std::string case_key;
  bool check = true;           ///< compare the last timed output with the reference
  double inject_slowdown = 0;  ///< percent
  CeilingRates ceilings = {};  ///< what the run measured of the device
  Tuning tuning = {};          ///< what an earlier worker of the case found
  /// File to write a Chrome trace of one execution to; empty: none. Of a worker that checks.
  std::string chrome_trace = {};
};

/// Parent and worker were built from commits whose kWorkerInterface differs.
class OtherInterface : public UsageError {
 public:
  using UsageError::UsageError;
};

/// On one line.
std::string to_text(const WorkerRequest& request);
/// Throws UsageError on anything else than what to_text writes, OtherInterface where another
/// version wrote it.
WorkerRequest worker_request_from_text(const std::string& text);

/// On one line. Bytes that are no UTF-8, and what would paint a terminal, are replaced: a library's
/// messages may hold anything.
std::string to_text(const WorkerReport& report);
/// What a worker wrote on its pipe, with kMeasuresNoMore or without. Throws as
/// worker_request_from_text does.
WorkerReport worker_report_from_text(const std::string& text);

}  // namespace perfgate
