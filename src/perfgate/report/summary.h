#pragma once
// What stands behind the table: how many of what verdict, how small a slowdown could have been
// seen, and what to do about what was not judged or got faster.

#include <string>

#include "perfgate/report/run.h"

namespace perfgate {

/// `results_path`: where the results are; empty: nowhere.
std::string summary_text(const Run& run, const std::string& results_path, bool colour);

}  // namespace perfgate
