#pragma once
// One traced execution of a case as Chrome's trace events, for https://ui.perfetto.dev. The format
// nests what overlaps on one thread, so kernels that ran side by side would look like calls.

#include <map>
#include <string>
#include <vector>

#include "perfgate/measure/kernel_trace.h"
#include "perfgate/model/metric.h"

namespace perfgate {

/// What each phase of a case ran in one execution.
using Executions = std::map<Phase, std::vector<Activity>>;

/// A document of the Trace Event Format, times in us from each phase's first activity. A phase is a
/// process. What runs side by side stands on several threads, what an operator calls stands below
/// it, and what is known by its length alone stands on a thread of its own, one behind another.
std::string chrome_trace(const std::string& case_key, const Executions& executions);

}  // namespace perfgate
