#pragma once
// AOTInductor packages: torch.compile's code without Python in the measured process. A package runs
// on the LibTorch and processor that made it and may crash on any other, so each lies beside a note
// of both, of what it was made from and of its own bytes, and a foreign, old or changed one is
// never loaded.

#include <ATen/core/ATen_fwd.h>

#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "perfgate/core/units.h"
#include "perfgate/model/package_tuning.h"
#include "perfgate/workloads/case.h"

namespace perfgate {

using CompiledFunction = std::function<at::Tensor(std::vector<at::Tensor>)>;
/// Of a program that gives several.
using CompiledOutputs = std::function<std::vector<at::Tensor>(const std::vector<at::Tensor>&)>;

/// Loads the package of a case. Throws Unsupported when it is missing, foreign, made from another
/// program or other arguments, changed since, or writable for anybody, saying which.
CompiledFunction load_package(const PrepareContext& context, const Package& package);
CompiledOutputs load_package_of_outputs(const PrepareContext& context, const Package& package);
/// The same of a package of several programs, which are called by these names.
std::map<std::string, CompiledOutputs> load_programs(const PrepareContext& context,
                                                     const Package& package,
                                                     const std::vector<std::string>& names);

/// The processor's time that exporting and compiling the package's programs took, with nothing in
/// Inductor's caches.
/// Throws Unsupported where its note does not say: it was made for cases that do not judge it.
Seconds compile_time(const PrepareContext& context, const Package& package);

/// Version of the Triton that compiled the package's kernels; empty where its note names none.
std::string triton_version(const PrepareContext& context, const Package& package);

/// Of a package: the key of its case without the last word, which says how it is run.
std::string package_name(const std::string& case_key);

/// What a package must have been made with to run here: libtorch, device, architecture.
std::map<std::string, std::string> package_environment(const PrepareContext& context);

/// What the exporter is asked for: {"environment": {...}, "packages": [{"name", "case", "source",
/// "program_sha256", "arguments", "timed", "tuning"}]}; "tuning" is the package's of `tunings`,
/// where it has one. Of several cases that load the same one, the first is named; throws
/// std::invalid_argument where they mean different ones by the same name.
nlohmann::json package_request(const std::vector<Case>& cases, const PrepareContext& context,
                               const PackageTunings& tunings = {});

}  // namespace perfgate
