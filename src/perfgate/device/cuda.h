#pragma once
// The GPUs of this machine and which one is meant. Indices change with CUDA_VISIBLE_DEVICES and
// from boot to boot, so every way of naming a GPU is resolved to its UUID at once, and a worker is
// shown that one GPU alone.

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "perfgate/device/device.h"
#include "perfgate/device/nvml.h"

namespace perfgate {

struct GpuInfo {
  std::string name;        ///< "NVIDIA H200"
  std::string uuid;        ///< "GPU-b398e28c-..."
  std::string pci_bus_id;  ///< "0000:0A:00.0"
  int multiprocessors = 0;
  std::size_t l2_bytes = 0;
  std::size_t memory_bytes = 0;
  int compute_capability = 0;  ///< 90 for 9.0
};

/// The GPUs that CUDA shows this process, in its order. Makes no context. Throws UsageError with
/// CUDA's own words when there is no driver, none that is new enough, or no GPU.
std::vector<GpuInfo> visible_gpus();

/// The GPU meant by `device`: "cuda" (the first), "cuda:N" (by index), "cuda:<uuid>", or a CTest
/// resource id: the UUID in lower case with '_' for '-'. Throws UsageError saying what is there.
const GpuInfo& find_gpu(const std::vector<GpuInfo>& gpus, const std::string& device);

/// A UUID as CTest allows it for the id of a resource.
std::string resource_id(const std::string& uuid);

class CudaDevice final : public Device {
 public:
  /// `nvml` may be null, for the reason `why_no_nvml`.
  CudaDevice(GpuInfo gpu, std::shared_ptr<Nvml> nvml, std::string why_no_nvml)
      : gpu_(std::move(gpu)), nvml_(std::move(nvml)), why_no_nvml_(std::move(why_no_nvml)) {}
  [[nodiscard]] DeviceIdentity identity() const override;
  [[nodiscard]] DeviceHealth health(bool alone) const override;

 private:
  GpuInfo gpu_;
  std::shared_ptr<Nvml> nvml_;
  std::string why_no_nvml_;
};

}  // namespace perfgate
