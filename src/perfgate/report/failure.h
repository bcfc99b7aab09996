#pragma once
// What a failing case says, in under 20 lines: how much, with what significance, against what, what
// changed, and the two commands that reproduce it and accept it.

#include <string>
#include <vector>

#include "perfgate/baseline/baseline.h"
#include "perfgate/gate/outcome.h"
#include "perfgate/report/run.h"

namespace perfgate {

/// Text for any verdict that is not a plain pass. `baseline` may be null.
std::string failure_text(const Outcome& outcome, const RunInfo& info, const Baseline* baseline);

/// A text for each failure, in their order. Unjudged cases of one ERROR, or of one reason why the
/// machine is unfit, share the first one's.
std::vector<std::string> failure_texts(const std::vector<const Outcome*>& failures,
                                       const RunInfo& info, const Baseline* baseline);

}  // namespace perfgate
