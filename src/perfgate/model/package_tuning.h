#pragma once
// What the Triton kernels of a compiled package were tuned to. A search chooses among
// configurations that are all but equally fast, and chose one of 64 registers a thread after one of
// 127, 9 % slower: what was chosen is kept, and compiled again, while its compiler is the same.

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "perfgate/core/json.h"

namespace perfgate {

/// Of one program: a kernel's configuration ("XBLOCK 2, 8 warps, 1 stages") by the version of its
/// source.
using ProgramTuning = std::map<std::string, std::string>;

struct PackageTuning {
  std::string libtorch;  ///< that compiled it
  std::string triton;
  std::map<std::string, ProgramTuning> programs;  ///< by name; at least one

  friend bool operator==(const PackageTuning&, const PackageTuning&) = default;
};

/// By the package's name.
using PackageTunings = std::map<std::string, PackageTuning>;

nlohmann::json to_json(const PackageTuning& tuning);

/// Throws UsageError that names the place of what is missing, unknown or of the wrong type.
PackageTuning package_tuning_from_json(const JsonCursor& cursor);

}  // namespace perfgate
