#pragma once
// Whether a session may join the epoch in force, and as what. A card that is not known yet is
// compared with others, and a change of some percent passes: were such a session of a newer build
// taken in, the card would be judged against the slower build from its third session on, and so a
// slow drift would ratchet in through new cards. So a card joins with what the epoch was measured
// with, or with a build that a card of that first measurement has been found to be no slower with.

#include <string>

#include "perfgate/baseline/baseline.h"

namespace perfgate {

/// What was measured: the library, and the sources of the workload.
struct Build {
  std::string libtorch;
  std::string workload;  ///< version of the case's family; empty: not known

  friend bool operator==(const Build&, const Build&) = default;
};

Build build_of(const SessionRecord& session, const std::string& case_key);

enum class Joining {
  kReference,  ///< its mean counts, while its unit has fewer than kAnchorSessions
  kNoise,      ///< it only tells how noisy the case is
  kRefused,    ///< a new unit and a new build: what each of them makes cannot be told apart
};

/// How `session` joins `epoch` of `case_key`. A unit is known by `known_unit_sessions` sessions in
/// the epoch, or by being the only one. The epoch's anchors must be in the baseline.
Joining joining(const Baseline& baseline, const Epoch& epoch, const std::string& case_key,
                const SessionRecord& session, int known_unit_sessions);

}  // namespace perfgate
