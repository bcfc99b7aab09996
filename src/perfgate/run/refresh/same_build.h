#pragma once
// Whether a session that looks slower or faster measured anything else than the recorded ones did.

#include <optional>
#include <string>

#include "perfgate/baseline/baseline.h"
#include "perfgate/gate/outcome.h"

namespace perfgate {

/// What a case of the baseline ran otherwise than the sessions of its revision, and what to do
/// about it; nothing where it ran the same. That a device is slower by itself is known only then.
std::optional<std::string> what_else_is_new(const Outcome& outcome, const Baseline& baseline,
                                            const SessionRecord& tonight);

/// Whether only the machine can have changed: the device has sessions, fewer than
/// `known_device_sessions`, and each is of the very build of tonight, which a commit names. Were
/// such a session refused, the first one alone would say how noisy the machine is.
bool is_noise(const Outcome& outcome, const Baseline& baseline, const SessionRecord& tonight,
              int known_device_sessions);

}  // namespace perfgate
