#pragma once
// What differs between the session that a baseline has and tonight's, in words.

#include <string>

#include "perfgate/baseline/baseline.h"

namespace perfgate {

/// "LibTorch 2.11.0 -> 2.12.0; cudnn 91002 -> 91100; NVIDIA_TF32_OVERRIDE unset -> 0". Sessions of
/// before 2026-11-27 have no settings: variables that are set now are then told as such.
std::string session_changes(const SessionRecord& before, const SessionRecord& now);

}  // namespace perfgate
