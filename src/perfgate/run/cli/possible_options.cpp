#include "perfgate/run/cli/possible_options.h"

#include <cmath>
#include <filesystem>
#include <string>

#include "perfgate/core/errors.h"

namespace perfgate {
namespace {

void require_finite(const char* flag, double value) {
  if (!std::isfinite(value)) {
    throw UsageError(std::string(flag) + " is no number", "give it a finite one");
  }
}

// What asks for kernels asks a run that measures, of what is recorded.
void require_possible_of_kernels(const Options& options) {
  const bool reads = options.command.merge || !options.command.exports.empty();
  if (reads && (options.strict_kernels || options.profile)) {
    throw UsageError("--strict_kernels and --profile are of a run that measures",
                     "gate with the first; --export=profile:FILE shows the kernels of results");
  }
  if (options.strict_kernels && (options.refresh.wanted || options.inject_slowdown > 0)) {
    throw UsageError("--strict_kernels excludes --refresh and --inject_slowdown",
                     "a refresh records what ran, and injected work is a kernel of its own");
  }
}

// A canary is a case that passed, gated as the others were but for what is injected.
void require_possible_of_canaries(const Options& options) {
  if (options.canaries > 0 && (options.refresh.wanted || options.inject_slowdown > 0)) {
    throw UsageError("--canaries excludes --refresh and --inject_slowdown",
                     "they are gated once more behind a night of cases as they are");
  }
}

// A comparison has no baseline to record, and no recorded kernels to hold to.
void require_possible_of_builds(const Options& options) {
  const bool compares = options.against.wanted() || options.bisect.wanted();
  if (options.against.most_pairs > 0 && !compares) {
    throw UsageError("--pairs without --against or --bisect", "only builds are compared in pairs");
  }
  if (!options.bisect.make.empty() && !options.bisect.wanted()) {
    throw UsageError("--bisect_make without --bisect", "name the file of what it is to make");
  }
  if (options.bisect.wanted() && (options.against.wanted() || options.inject_slowdown > 0)) {
    throw UsageError("--bisect excludes --against, --against_env and --inject_slowdown",
                     "it measures the builds of its list, as they are");
  }
  if (compares &&
      (options.refresh.wanted || options.require_baseline || options.selection.missing ||
       options.strict_kernels || options.profile || options.canaries > 0)) {
    throw UsageError(
        "--against and --bisect exclude --refresh, --require_baseline, --missing, "
        "--strict_kernels, --profile and --canaries",
        "they compare builds with each other, and know no baseline");
  }
}

}  // namespace

void require_possible(const Options& options) {
  const Selection& selection = options.selection;
  if (selection.missing + selection.recorded + selection.learning > 1) {
    throw UsageError("--missing, --recorded and --learning exclude each other",
                     "each selects by what the baseline has: give one of them");
  }
  const bool is_parent = options.command.worker_pipe < 0;
  if (!options.refresh.accept.empty() && !options.refresh.wanted && is_parent) {
    throw UsageError("--accept without --refresh", "only what is recorded can be accepted");
  }
  if ((options.command.last || !options.command.since.empty()) && !options.command.show_history) {
    throw UsageError("--since and --last without --show_history",
                     "they say what of the history is printed: add it, or leave them out");
  }
  require_finite("--inject_slowdown", options.inject_slowdown);
  require_finite("--canaries", options.canaries);
  require_finite("--worker_timeout", options.workers.timeout_s);
  std::error_code error;
  if (std::filesystem::equivalent(options.paths.history, options.paths.baselines, error)) {
    throw UsageError("--history and --baselines name the same folder",
                     "its files would have the same names: name another for --history");
  }
  if (is_parent) {
    require_possible_of_kernels(options);
    require_possible_of_canaries(options);
    require_possible_of_builds(options);
  }
  if (options.command.repeat > 0 &&
      (options.command.worker.empty() || options.inject_slowdown > 0)) {
    throw UsageError("--repeat goes with --worker=KEY, and without --inject_slowdown",
                     "it runs one case's body as it is, for a profiler to look at");
  }
  if (options.refresh.wanted && options.inject_slowdown > 0) {
    throw UsageError("--refresh and --inject_slowdown exclude each other",
                     "an injected slowdown must never become a baseline");
  }
}

}  // namespace perfgate
