#pragma once
// Which perfgate this is.

namespace perfgate {

/// Of the CMake project, as 0.1.0.
extern const char* const kVersion;

}  // namespace perfgate
