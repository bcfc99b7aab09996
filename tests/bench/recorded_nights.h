#pragma once
// Nights that nobody ran, judged from what a baseline has recorded. No session of a revision
// changed, or it would have begun a new one, so whatever is found in one is a false alarm; and
// slowed by so much, what is not found is missed.

#include <filesystem>

#include "certificate.h"

namespace perfgate {

/// Counts in `certificate`, each apart: every recorded session once, judged by all the others, on
/// devices that these know and on those that they do not; and `drawn` nights of each whole family,
/// of each case a session that is drawn at random. Not in any of them, since only a session's
/// measurements are recorded: screening by one process, interference, and how long injected work
/// really takes. Throws UsageError where `folder` holds no baseline.
void add_recorded_nights(const std::filesystem::path& folder, int drawn, Certificate& certificate);

}  // namespace perfgate
