#pragma once
// Which kernels are to blame: what a case ran when its baseline was recorded against what it ran
// tonight.

#include <map>
#include <string>
#include <vector>

#include "perfgate/baseline/baseline.h"
#include "perfgate/gate/outcome.h"
#include "perfgate/model/worker_report.h"

namespace perfgate {

/// One line a kernel, the largest change of busy time first, at most `limit`: kernels that are new,
/// gone, slower or faster by more than 1 % of the case, or launched otherwise. Empty where nothing
/// differs or one side was not traced.
std::vector<std::string> kernel_changes(const std::vector<KernelRecord>& before,
                                        const std::vector<KernelRecord>& now, std::size_t limit);

/// Judged, and neither slower nor unsteady; it may be BLIND.
bool was_not_found_slower(const Outcome& outcome);

/// By phase the lines of kernels that are new, gone or launched otherwise, of a case that was not
/// found slower. `baseline` may be null.
std::map<Phase, std::vector<std::string>> other_kernels_of(const Outcome& outcome,
                                                           const Baseline* baseline,
                                                           std::size_t limit);

/// The cases that ran other kernels and were not found slower, each with its kernels: a library
/// that switched backends in silence shows here. Empty when there are none; `baseline` may be null.
std::string other_kernels_text(const std::vector<Outcome>& outcomes, const Baseline* baseline);

}  // namespace perfgate
