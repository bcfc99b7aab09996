#pragma once
// Whether a session may join the revision in force, and as what. A device that is not known yet is
// compared with others, and a change of some percent passes: were such a session of a newer build
// taken in, the device would be judged against the slower build from then on, and so a
// slow drift would ratchet in through new devices. So a device joins with what the revision was
// measured with, or with a build that a device of that first measurement has been found to be no
// slower with.

#include <string>

#include "perfgate/baseline/baseline.h"

namespace perfgate {

Build build_of(const SessionRecord& session, const std::string& case_key);

enum class Joining {
  kReference,  ///< its mean counts, while its device has fewer than kReferenceSessions
  kNoise,      ///< it only tells how noisy the case is
  kRefused,    ///< a new device and a new build: what each of them makes cannot be told apart
};

/// How `session` joins `revision` of `case_key`. A device that has `known_device_sessions` sessions
/// in the revision, or is the only one, may bring another build. The revision's references must be
/// in the baseline.
Joining joining(const Baseline& baseline, const Revision& revision, const std::string& case_key,
                const SessionRecord& session, int known_device_sessions);

/// Notes in `revision` that a device of its first measurement was no slower with the build of
/// `session`, which joined it there: other devices may join with that build from then on. As many
/// builds as a few weeks of nightlies bring are kept.
void note_as_fast(const Baseline& baseline, const std::string& case_key,
                  const SessionRecord& session, int known_device_sessions, Revision& revision);

}  // namespace perfgate
