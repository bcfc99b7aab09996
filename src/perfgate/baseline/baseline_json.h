#pragma once
// A baseline as the files of its folder: device.json, and for each family cases/<family>.json and,
// apart from it, kernels/<family>.json and tunings/<family>.json. So a refresh's diff is read
// family by family, and what nobody judges stands aside.

#include <map>
#include <string>

#include "perfgate/baseline/baseline.h"

namespace perfgate {

/// Text by the file's name in the folder: "cases/ops.json".
using BaselineFiles = std::map<std::string, std::string>;

BaselineFiles to_files(const Baseline& baseline);

/// `folder` is only named in errors. Throws UsageError naming file, JSON pointer and reason.
Baseline baseline_from_files(const BaselineFiles& files, const std::string& folder);

/// Whether a baseline's folder has a file of this name, whatever is in it.
bool is_baseline_file(const std::string& name);

}  // namespace perfgate
