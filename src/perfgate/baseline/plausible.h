#pragma once
// Whether what a baseline says can be: a file of the right form that was damaged, or written by
// hand, would pass or fail cases for no reason. Each function throws UsageError at its cursor.

#include <string>

#include "perfgate/baseline/baseline.h"
#include "perfgate/core/json.h"

namespace perfgate {

/// Without their time, cycles do not say at which clock.
void require_times_of_cycles(const JsonCursor& cursor, const Revision& revision);

/// Some metric of the case is judged, and each that is has reference measurements in the newest
/// revision. A metric may be younger than its case, but then not judged before a reference has it.
void require_judged(const JsonCursor& cursor, const CaseRecord& record);

/// References that disagree by more than any noise are no references: the mean of them would pass
/// whatever lies between. `file`: whose sessions they are.
void require_agreement(const JsonCursor& cursor, const Baseline& file, const CaseRecord& record);

}  // namespace perfgate
