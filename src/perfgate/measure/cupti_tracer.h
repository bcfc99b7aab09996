#pragma once
// The tracer's real side: CUPTI's activity records. Started after a case has been timed, so that
// nothing of it is there while it is.

#include <memory>
#include <string>

#include "perfgate/measure/kernel_trace.h"

namespace perfgate {

/// Null, with the reason in `why`, when CUPTI cannot be opened. The library is opened at run time
/// (the one that LibTorch has loaded, where it has): it serves one subscriber a process, and two
/// copies of it would be two.
std::unique_ptr<KernelTracer> open_cupti(std::string* why);

}  // namespace perfgate
