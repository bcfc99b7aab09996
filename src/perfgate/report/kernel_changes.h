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

/// The same lines, by phase, of a case that ran other kernels than when it was recorded, or
/// launched them otherwise, and is no slower. `baseline` may be null.
std::map<Phase, std::vector<std::string>> other_kernels_of(const Outcome& outcome,
                                                           const Baseline* baseline,
                                                           std::size_t limit);

/// The cases that ran other kernels although they are no slower, each with its kernels: a library
/// that switched backends in silence shows here. Empty when there are none; `baseline` may be null.
std::string other_kernels_text(const std::vector<Outcome>& outcomes, const Baseline* baseline);

}  // namespace perfgate
