#pragma once
// What the host takes, in pairs of two builds. Both are measured on one host, so the time that
// queueing a body takes is judged itself, and over its control's as well. The one finds whatever
// slows a launch, be it LibTorch's dispatch, a driver or a library that is preloaded: of the last
// two the control launches no faster, and in the ratio they cancel. The other finds what is
// LibTorch's where others on the processor make the host's time itself spread too wide.

#include <optional>
#include <string>

#include "perfgate/gate/paired_case.h"

namespace perfgate {

/// Whether the host takes as long to queue the phase's body as the device to run it, in most
/// processes of either build: it decides now, or did.
bool host_decides_in_either(const PairedReports& reports, Phase phase);

/// What is said of a body that the host queued in less than half of what the device took, in every
/// process before, and for which it takes longer than the device in every one now: of such a body
/// only the newer build makes host passes. Empty where none is.
std::string why_launch_bound_now(const PairedReports& reports);

/// How the control changed beside a phase's host passes.
enum class ControlChange {
  kSame,    ///< not beyond what its pairs vary by: what is slower is LibTorch's own part
  kSlower,  ///< by some of what the host takes more: launching itself is slower, whoever launches
};

/// Nothing where fewer than two pairs have a control.
std::optional<ControlChange> control_change(const PairedReports& reports, Phase phase);

}  // namespace perfgate
