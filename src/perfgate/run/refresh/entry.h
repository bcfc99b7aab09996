#pragma once
// What becomes of a measured session of one case in a refresh: decided once, and pure. Whether it
// is a reference or tells only of noise, the baseline says when it is written (baseline/record.h).

#include <string>

#include "perfgate/baseline/record.h"
#include "perfgate/gate/outcome.h"
#include "perfgate/gate/policy.h"
#include "perfgate/run/cli/options.h"

namespace perfgate {

struct Entry {
  Recorded as = Recorded::kNot;
  std::string message = {};  ///< why, or what the outcome says anyway
  CaseSession session = {};  ///< unless it is refused, or there is none
  /// What packages were tuned to, of a session that is refused and ran the recorded kernels.
  PackageTunings tunings_alone = {};
};

/// What a refresh was asked for, and by what it is decided. Borrows all of it.
struct EntryRules {
  const Refresh& wanted;
  const Policy& policy;
};

/// `outcome`: what the judge said of tonight's session by `baseline`. `tonight`: that session.
Entry entry_of(const Outcome& outcome, const Baseline& baseline, const SessionRecord& tonight,
               const EntryRules& rules);

/// What record_session() goes by.
RecordRules record_rules(const Policy& policy);

}  // namespace perfgate
