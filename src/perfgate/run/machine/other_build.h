#pragma once
// Another build of a suite: where its program lies, and what that says of itself.

#include <filesystem>
#include <string>

#include "perfgate/run/machine/suite.h"

namespace perfgate {

/// The suite's program of another build: `build` itself, or the one that lies in that build folder
/// where ours lies in ours. Throws UsageError, naming the flag, where there is none.
std::filesystem::path program_of(const std::filesystem::path& build, const Suite& suite,
                                 const std::string& flag);

/// The commit of the suite that a program was built from, by its --version; "unknown" where that
/// names none.
std::string commit_of(const std::filesystem::path& program);

}  // namespace perfgate
