#pragma once
// What people read of host passes: that the host decides, and who slowed it.

#include <string>

#include "perfgate/gate/outcome.h"
#include "perfgate/gate/paired.h"

namespace perfgate {

/// Behind a phase's row, behind two spaces: "  host 41.0 us, MDE 12.0 %" where what the host takes
/// is judged beside the device's time, "  host 41.0 us not judged" where it is not although it
/// decides or is recorded. Else empty.
std::string host_pass_remark(const Outcome& outcome, Phase phase);

/// Of a failing case: that its host decides, where that is the finding, and why what is recorded of
/// its host was not judged. Whole lines.
std::string host_lines(const Outcome& outcome);

/// Of a case of which two builds were found to differ by what the host takes: which takes longer,
/// host or device, and, of a slowdown, whether launching is slower or LibTorch. Empty of others.
std::string host_change_text(const PairedReports& reports, const PairedOutcome& outcome);

}  // namespace perfgate
