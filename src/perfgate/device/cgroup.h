#pragma once
// What the container of this process may use (cgroups, version 1 and 2). What /proc/meminfo and the
// number of cores say is the host's: a case that fits there may still be killed here, and a quota
// of half a core halves every rate.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>

namespace perfgate {

/// The tightest of this process's cgroup and all around it; nothing where there is no limit, or
/// none can be read.
struct CgroupLimits {
  std::optional<std::size_t> memory_bytes;
  /// What is left of the memory where least is: file pages that the kernel would give back count as
  /// free.
  std::optional<std::size_t> available_bytes;
  std::optional<double> cores;  ///< that all its processes may use together
};

/// Below `root`: proc/self/cgroup, proc/self/mountinfo and what they name.
CgroupLimits cgroup_limits(const std::filesystem::path& root = "/");

/// How many processes of this cgroup the kernel has killed so far for want of memory, where it
/// tells; of the whole machine where the cgroup does not.
std::optional<std::int64_t> memory_kills(const std::filesystem::path& root = "/");

}  // namespace perfgate
