#pragma once
// Which options exclude each other, and which values none can have.

#include "perfgate/run/cli/options.h"

namespace perfgate {

/// Throws UsageError, with what to do instead.
void require_possible(const Options& options);

}  // namespace perfgate
