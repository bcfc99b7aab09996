#pragma once
// The CPU's identity. A hypervisor's "Intel(R) Xeon(R) Processor" names a dozen different chips, so
// the model is name + family/model/stepping + vector ISA + cores: what decides how fast code runs.

#include <cstddef>
#include <filesystem>
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

/// MemAvailable of /proc/meminfo in bytes; throws SystemError when it is not there.
std::size_t available_memory_bytes(const std::filesystem::path& root = "/");

}  // namespace perfgate
