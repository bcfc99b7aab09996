#pragma once
// What differs between two tunings of a case, in words.

#include <string>

#include "perfgate/model/worker_report.h"

namespace perfgate {

/// "algorithm 12 -> 37, cusparselt 0.8.0 -> 0.8.1"; "none" stands for what one of them does not
/// have. Empty where they are the same.
std::string tuning_changes(const Tuning& before, const Tuning& now);

}  // namespace perfgate
