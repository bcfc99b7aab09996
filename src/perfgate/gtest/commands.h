#pragma once
// What perfgate can be asked to do, one file a command; perfgate_main.cpp has the table of them.
// Each returns the exit code, and throws UsageError or SystemError as the rest of perfgate does.

#include "perfgate/backends/backend.h"
#include "perfgate/run/cli/options.h"

namespace perfgate {

/// Gates (or, refreshing, records) the selected cases: what perfgate does when it is asked for
/// nothing else.
int gate_command(const Options& options, const Backend& backend);

/// Compares this build with another one, case by case, without a baseline.
int against_command(const Options& options, const Backend& backend);

/// Finds the first slow one of a list of builds.
int bisect_command(const Options& options, const Backend& backend);

/// Prints the key of every case.
int show_history_command(const Options& options, const Backend& backend);
int list_cases_command(const Options& options, const Backend& backend);
int list_night_command(const Options& options, const Backend& backend);

/// Prints what the exporter has to compile for the selected cases, as JSON.
int list_packages_command(const Options& options, const Backend& backend);

/// Throws UsageError where --device names a GPU that is not the first one: what runs a case in this
/// very process cannot be shown another.
void require_first_gpu(const Options& options, const Backend& backend);

/// Times each kernel of the selected cases' packages by itself.
int kernels_command(const Options& options, const Backend& backend);

/// Prints the device's model, id and baseline.
int show_device_command(const Options& options, const Backend& backend);

/// Runs one case's body over and over, and prints how a profiler sees it alone.
int repeat_command(const Options& options, const Backend& backend);

/// Measures one case in this process and prints its report.
int worker_command(const Options& options, const Backend& backend);

}  // namespace perfgate
