#pragma once
// What a process ends with: all of its rules. docs/reference/verdicts.md has them for users.

#include <string>
#include <vector>

#include "perfgate/core/errors.h"
#include "perfgate/gate/bisection.h"
#include "perfgate/gate/paired.h"
#include "perfgate/report/run.h"

namespace perfgate {

/// The stronger of two exit codes: usage, fail, refused, ok, skipped.
ExitCode stronger(ExitCode a, ExitCode b);

/// What makes an exit code of outcomes.
struct ExitRules {
  bool baseline_required = false;  ///< NO_BASELINE fails
  double blind_share =
      1;  ///< a run of whose judged cases more than this share is BLIND, is refused
};

/// What this verdict alone would make the process exit with. kSkipped: it says nothing either way.
ExitCode exit_code_of(Verdict verdict, bool baseline_required);

/// What this outcome alone would make the process exit with: kOk where a refresh recorded the case,
/// kRefused where it did not want to.
ExitCode exit_code_of(const Outcome& outcome, bool baseline_required);

/// What the run's outcomes add up to; kSkipped where nothing was judged. Too many BLIND cases make
/// it kRefused, and so do a selection by the environment, a canary that makes the gate unfit, and,
/// where anything else was judged, a case that did not run; an interrupted run has failed.
ExitCode exit_code_of(const Run& run, const ExitRules& rules);

/// Of the nights of several devices.
ExitCode exit_code_of(const std::vector<Run>& nights);

/// What this outcome of two builds alone would make the process exit with.
ExitCode exit_code_of(const PairedOutcome& outcome);

/// What the outcomes of two builds add up to: kSkipped where nothing was judged, kRefused where
/// more than `blind_share` of what was judged is BLIND.
ExitCode exit_code_of(const std::vector<PairedOutcome>& outcomes, double blind_share);

/// Of a search that has ended with this step: a build that is to blame fails.
ExitCode exit_code_of(BisectionStep::Kind kind);

}  // namespace perfgate
