#pragma once
// A whole run, as values: where and with what, and every case's outcome. What the table, the
// results file and the merged night are all written from.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "perfgate/baseline/baseline.h"
#include "perfgate/core/errors.h"
#include "perfgate/gate/canary.h"
#include "perfgate/gate/creep.h"
#include "perfgate/gate/global_change.h"
#include "perfgate/gate/outcome.h"

namespace perfgate {

struct RunInfo {
  std::string family;   ///< the one family selected, or "all"
  std::string started;  ///< ISO 8601, UTC
  DeviceRecord device;
  SessionRecord session;  ///< device, host, versions: what a refresh would record
  std::map<std::string, std::string> environment;  ///< governor, clocks, threads, CPU...
  std::optional<std::string> no_trace;  ///< why kernels could not be traced, where they could be
  std::string baseline_path;
  bool local_baseline = false;  ///< recorded on this machine only, not checked in
  bool refresh = false;         ///< it was to record, and not to gate
  std::vector<std::string> command;
  int shard = 0;   ///< which of several that share a selection this run is
  int shards = 1;  ///< how many those are
  /// What the environment selected, which makes the run partial; empty: nothing.
  std::string selection;
};

/// Whether the suite is another project's: its commit is not perfgate's, whose own stands beside
/// it.
bool is_of_guest(const RunInfo& info);

struct Run {
  RunInfo info;
  std::vector<Outcome> outcomes;
  /// Cases that were selected and did not run: a test environment was skipped, say, or failed.
  std::vector<std::string> not_run = {};
  std::vector<Canary> canaries =
      {};  ///< no outcomes of the night: what the gate itself is judged by
  std::vector<GlobalChange> global = {};  ///< of a device that the baseline knows
  std::string moved = {};                 ///< what else was different, where all of a group changed
  std::vector<SeriesCreep> creeps = {};   ///< what has become slower over the nights
  double elapsed_s = 0;
  bool partial = false;  ///< not all that it was to measure: interrupted, or see info.selection
  ExitCode exit_code = ExitCode::kOk;
  std::string source;  ///< the file that it was read from; empty: none
  /// Of a merged night: what did not end, or is not there, each as a sentence.
  std::vector<std::string> unfinished = {};
};

/// Whether the judge had its say, either way.
bool was_judged(const Outcome& outcome);

/// Whether the run recorded, or refused to, instead of judging.
bool is_refresh(const Run& run);

/// The outcomes that have to be explained, worst first: what fails the build, or what a refresh
/// refused for the same reasons. Those that came out wrong or not at all, then the slowest.
std::vector<const Outcome*> failures_of(const Run& run, bool baseline_required);

/// How many outcomes have this verdict.
int count(const std::vector<Outcome>& outcomes, Verdict verdict);

}  // namespace perfgate
