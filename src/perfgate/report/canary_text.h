#pragma once
// What a night's canaries say of the gate, in sentences.

#include <string>
#include <vector>

#include "perfgate/gate/canary.h"

namespace perfgate {

/// Of one canary: its case, what was injected, and what was found.
std::string canary_sentence(const Canary& canary);

/// The lines of a summary: how many were as they should be, and each that was not. Empty where
/// there are none.
std::string canary_lines(const std::vector<Canary>& canaries);

}  // namespace perfgate
