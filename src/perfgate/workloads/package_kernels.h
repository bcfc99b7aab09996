#pragma once
// What only the compiler knows of a package's kernels: the exporter writes it beside the package
// (NAME.kernels.json), and here it is given to the kernels that a trace has shown.

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "perfgate/model/worker_report.h"

namespace perfgate {

struct CompiledKernel {
  std::string program;                  ///< of the package
  std::string configuration;            ///< "XBLOCK 2, R0_BLOCK 4096, 8 warps, 3 stages"
  std::string source;                   ///< version of its source
  std::string text;                     ///< of that version
  std::optional<double> bytes;          ///< that a launch is expected to move
  std::optional<std::int64_t> threads;  ///< a block
  std::optional<std::int64_t> grid_x;   ///< where it is the same in every launch
};

/// By name; programs of one package may have different kernels of one name.
using CompiledKernels = std::multimap<std::string, CompiledKernel>;

/// Of the package of this file (NAME.pt2); none where the exporter could not record them. Throws
/// UsageError where what it wrote cannot be read.
CompiledKernels compiled_kernels(const std::filesystem::path& package);

/// What these were tuned to, by program; programs without kernels are none.
std::map<std::string, ProgramTuning> tuning_of(const CompiledKernels& compiled);

/// Says it of a kernel of a trace, where it is known: of those with its name the one that is
/// launched with its grid and block, and none where that does not tell.
void describe(KernelRecord& traced, const CompiledKernels& compiled);
/// Of each of them.
void describe(std::vector<KernelRecord>& traced, const CompiledKernels& compiled);

/// Text of the sources that these kernels name, by version.
std::map<std::string, std::string> sources_of(const std::vector<KernelRecord>& described,
                                              const CompiledKernels& compiled);

}  // namespace perfgate
