#pragma once
// The CPU's identity. A hypervisor's "Intel(R) Xeon(R) Processor" names a dozen different chips, so
// the model is name + family/model/stepping + vector ISA + cores: what decides how fast code runs.

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "perfgate/device/device.h"

namespace perfgate {

/// Reads the machine below `root` ("/" but in tests): proc/cpuinfo, its id and sys.
class CpuDevice final : public Device {
 public:
  explicit CpuDevice(std::filesystem::path root = "/") : root_(std::move(root)) {}
  [[nodiscard]] DeviceIdentity identity() const override;

 private:
  std::filesystem::path root_;
};

/// The model string from the text of /proc/cpuinfo: for x86-64
/// "<name> <family>-<model>-<stepping> <avx512-amx|avx512-bf16|avx512|avx2|avx|sse2> <n>c";
/// elsewhere what is there.
std::string cpu_model(std::string_view cpuinfo);

/// What is left of the machine's memory (MemAvailable of /proc/meminfo), or of the container's
/// where that is less, in bytes; throws SystemError when the former is not there.
std::size_t available_memory_bytes(const std::filesystem::path& root = "/");

/// "0.5 cores", where a container's quota lets this process use fewer than the machine has; else
/// nothing.
std::optional<std::string> cpu_quota(const std::filesystem::path& root = "/");

}  // namespace perfgate
