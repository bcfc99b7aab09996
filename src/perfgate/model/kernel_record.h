#pragma once
// One kernel of a case's body, as a trace shows it, and in what two of one name may differ.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace perfgate {

/// Of a grid or a block: x, y, z.
using Extents = std::array<std::int64_t, 3>;

/// "4096", or "64x16x1" where it is more than a row.
std::string text_of(const Extents& extents);

/// What ran, how often, for how long. On a CPU an operator of LibTorch, or what a library ran for
/// it.
struct KernelRecord {
  std::string name;        ///< without what changes from build to build
  std::int64_t count = 0;  ///< launches in one execution of the body
  double busy_us = 0;      ///< of all of them together
  Extents grid{};
  Extents block{};
  std::int64_t registers = 0;       ///< a thread
  std::int64_t shared_bytes = 0;    ///< a block
  std::int64_t local_bytes = 0;     ///< a thread; more than none means spills
  std::string implementation = {};  ///< that was dispatched on a CPU, "brg_matmul:avx512_core"
  /// What only the compiler knows of a kernel that it made, where it is known; see the exporter.
  std::string configuration = {};             ///< "XBLOCK 2, R0_BLOCK 4096, 8 warps, 3 stages"
  std::string source = {};                    ///< version of the kernel's source
  std::optional<double> bytes_a_launch = {};  ///< that it is expected to move
};

/// How a trace shows it to be launched. Kernels of one name are the same work only where these are
/// equal. Borrows the record.
inline auto launch_of(const KernelRecord& kernel) {
  return std::tie(kernel.grid, kernel.block, kernel.registers, kernel.shared_bytes,
                  kernel.local_bytes, kernel.implementation);
}

/// One thing in which a kernel is launched otherwise, in words.
struct LaunchDifference {
  std::string what;  ///< "grid", "registers", "configuration"...
  std::string before;
  std::string now;
};

/// In what two launches of a kernel of one name differ: what launch_of names, how often it is
/// launched, and its configuration and source where both are known. Its time is none of it.
std::vector<LaunchDifference> launch_differences(const KernelRecord& before,
                                                 const KernelRecord& now);

/// Whether both are of another source, and both sources are known.
bool has_other_source(const KernelRecord& before, const KernelRecord& now);

}  // namespace perfgate
