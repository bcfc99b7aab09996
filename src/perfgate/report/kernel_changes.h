#pragma once
// Which kernels are to blame: what a case ran when its baseline was recorded against what it ran
// tonight.

#include <string>
#include <vector>

#include "perfgate/core/worker_report.h"

namespace perfgate {

/// One line a kernel, the largest change of busy time first, at most `limit`: kernels that are new,
/// gone, slower or faster by more than 1 % of the case, or launched otherwise. Empty where nothing
/// differs or one side was not traced.
std::vector<std::string> kernel_changes(const std::vector<KernelRecord>& before,
                                        const std::vector<KernelRecord>& now, std::size_t limit);

}  // namespace perfgate
