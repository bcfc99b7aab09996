#pragma once
// Host passes in a baseline. They are younger than most cases, and not every process makes one. So
// what a pass measured comes and goes beside what else is recorded, which never begins anew for it.

#include <string>

#include "perfgate/baseline/record.h"

namespace perfgate {

/// Recorded behind the rest of its case, by a session that is a reference for it alone: a device's
/// first host pass, and what a case has begun to measure itself.
constexpr bool may_join_later(Quantity quantity) {
  return is_optional(quantity) || quantity == Quantity::kOwn;
}

/// Forgets what passes of another protocol than the session's measured: they cannot be compared.
void drop_other_host_passes(const CaseSession& session, CaseRecord& record);

/// A session of a device that has its reference sessions already, but none that has what a pass
/// measured, becomes its reference for that alone: or no device that has been known for long would
/// ever be judged by it. The same holds of what the case has begun to measure itself. `id`: the
/// session's, in `baseline`; `revision`: of `record`.
void add_first_measurements(const std::string& id, const CaseSession& session,
                            const Baseline& baseline, CaseRecord& record, Revision& revision);

/// Forgets what the revision in force has no reference session of: it was begun by processes of
/// which not all made a pass.
void drop_host_passes_without_references(CaseRecord& record);

}  // namespace perfgate
