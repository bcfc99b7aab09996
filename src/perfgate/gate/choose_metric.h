#pragma once
// Which of a case's metrics its baseline judges. A body of many small kernels takes its busy time
// plus the idle time between them, which varies from process to process. A launch-bound one waits
// for the host. Judged by net time either would flake, or hide a slowdown.

#include "perfgate/baseline/record.h"
#include "perfgate/gate/policy.h"

namespace perfgate {

/// Whether this phase's net time is judged, and choose_judged_metrics has to know busy time: the
/// phase was not queued whole, its host time is judged too, or it spreads wide at one clock.
bool needs_busy_time(const CaseSession& session, Phase phase, const Policy& policy);

/// Where a phase's net time is judged, and the phase was not queued whole or spreads too wide
/// beside busy time (see Policy), judges busy time instead, and of net time the best over a
/// session's workers, with a wide tolerance: a mode that never comes back is a regression. Where
/// host time is judged too, it is busy time in any case, and net time that waits for the host is
/// not judged: host time says the same. Cycles, where they are known, say what net time spreads by
/// at one clock. Leaves every other phase alone. For a case's first session; afterwards its record
/// says.
void choose_judged_metrics(CaseSession& session, const Policy& policy);

}  // namespace perfgate
