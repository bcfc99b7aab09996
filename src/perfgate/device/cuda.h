#pragma once
// The GPUs of this machine and which one is meant. Indices change with CUDA_VISIBLE_DEVICES and
// from boot to boot, so every way of naming a GPU is resolved to its UUID at once, and a worker is
// shown that one GPU alone.

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "perfgate/core/units.h"
#include "perfgate/device/cuda_runtime.h"
#include "perfgate/device/device.h"
#include "perfgate/device/nvml.h"

namespace perfgate {

/// A UUID as nvidia-smi writes it: "GPU-b398e28c-...", of a slice "MIG-b398e28c-...".
std::string uuid_text(const std::array<std::uint8_t, 16>& uuid, bool is_slice = false);

/// Whether this is the name of a slice of a GPU (MIG), which has its profile: "NVIDIA H200 MIG
/// 1g.18gb".
bool names_a_slice(const std::string& name);

/// The GPU as what it is: where its card is cut into slices and its name does not say so, a slice
/// all the same, by its size.
GpuInfo told_apart(GpuInfo gpu, Nvml* nvml);

/// The GPUs that CUDA shows this process, in its order. Makes no context. Throws UsageError with
/// CUDA's own words when there is no driver, none that is new enough, or no GPU.
std::vector<GpuInfo> visible_gpus(CudaRuntime& runtime);

/// The GPU meant by `device`: "cuda" (the first), "cuda:N" (by index), "cuda:<uuid>", or a CTest
/// resource id: the UUID in lower case with '_' for '-'. Throws UsageError saying what is there.
const GpuInfo& find_gpu(const std::vector<GpuInfo>& gpus, const std::string& device);

/// A UUID as CTest allows it for the id of a resource.
std::string resource_id(const std::string& uuid);

/// Makes the context on the first visible GPU. One that is set to a process at a time is still busy
/// while the worker before leaves it, so this is tried for five seconds, with a `pause` in between.
/// Throws SystemError.
void open_gpu(CudaRuntime& runtime, const std::function<void(Seconds)>& pause);

struct GpuMemory {
  double free_bytes = 0;  ///< that can still be allocated, other processes' share taken off
  double all_bytes = 0;
};

/// Of the GPU of the context. Throws SystemError.
GpuMemory memory_of(CudaRuntime& runtime);

class CudaDevice final : public Device {
 public:
  /// Borrows `runtime`. `nvml` may be null, for the reason `why_no_nvml`.
  CudaDevice(CudaRuntime& runtime, GpuInfo gpu, std::shared_ptr<Nvml> nvml, std::string why_no_nvml)
      : runtime_(runtime),
        gpu_(told_apart(std::move(gpu), nvml.get())),
        nvml_(std::move(nvml)),
        why_no_nvml_(std::move(why_no_nvml)) {}
  [[nodiscard]] DeviceIdentity identity() const override;
  [[nodiscard]] DeviceHealth health(bool exclusive) const override;

 private:
  CudaRuntime& runtime_;
  GpuInfo gpu_;
  std::shared_ptr<Nvml> nvml_;
  std::string why_no_nvml_;
};

}  // namespace perfgate
