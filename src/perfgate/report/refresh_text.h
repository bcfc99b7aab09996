#pragma once
// What a refresh did: old -> new for every case that changed, a count of those that did not.

#include <string>

#include "perfgate/report/run.h"

namespace perfgate {

std::string refresh_text(const Run& run, const std::string& reason);

}  // namespace perfgate
