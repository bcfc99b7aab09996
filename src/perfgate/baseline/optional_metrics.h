#pragma once
// Optional metrics in a baseline, as those of host passes. They are younger than most cases, and
// not every process measures them. So they come and go beside what else is recorded, which never
// begins anew for them.

#include <string>

#include "perfgate/baseline/record.h"

namespace perfgate {

/// Recorded behind the rest of its case, by a session that is a reference for it alone: a device's
/// first host pass, and what a case has begun to measure itself.
constexpr bool may_join_later(Quantity quantity) {
  return is_optional(quantity) || quantity == Quantity::kOwn;
}

/// Forgets the metrics that the session measured by another setting: they cannot be compared.
void drop_what_was_set_otherwise(const CaseSession& session, CaseRecord& record);

/// A session of a device that has its reference sessions already, but none that has an optional
/// metric, becomes its reference for that alone: or no device that has been known for long would
/// ever be judged by it. The same holds of what the case has begun to measure itself. `id`: the
/// session's, in `baseline`; `revision`: of `record`.
void add_first_measurements(const std::string& id, const CaseSession& session,
                            const Baseline& baseline, CaseRecord& record, Revision& revision);

/// Forgets the metrics that the revision in force has no reference session of: it was begun by
/// processes of which not all measured them.
void drop_what_has_no_reference(CaseRecord& record);

}  // namespace perfgate
