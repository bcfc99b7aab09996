#pragma once
// A comparison of two builds as text: a line a case while it is measured, a table of what changed
// with its kernels, and one sentence that can be forwarded by itself.

#include <string>
#include <vector>

#include "perfgate/gate/paired.h"
#include "perfgate/report/paired_sentence.h"

namespace perfgate {

/// What is compared, and the columns of what follows. `why_unfit`: of the machine; empty: it is
/// fit.
std::string paired_heading(const Comparison& comparison, const std::string& why_unfit);

/// One case once its round is measured: the medians of its time on both sides, and the pairs'
/// change of what is judged. Nothing is judged yet, for that takes the round's other cases.
std::string paired_row(const PairedReports& reports, int number, int total);

/// The table of what changed, the worst first, with the kernels that differ; what failed or could
/// not be compared; what ran other kernels as fast; and the sentence. `reports` and `outcomes`: by
/// the same order.
std::string paired_report(const Comparison& comparison, const std::vector<PairedReports>& reports,
                          const std::vector<PairedOutcome>& outcomes, bool colour);

}  // namespace perfgate
