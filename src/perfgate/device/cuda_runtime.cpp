#include "perfgate/device/cuda_runtime.h"

#include <cuda_runtime_api.h>

#include <array>

namespace perfgate {
namespace {

std::string uuid_text(const cudaUUID_t& uuid) {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string out = "GPU-";
  for (std::size_t i = 0; i < sizeof uuid.bytes; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) {
      out += '-';
    }
    const auto byte = static_cast<unsigned char>(uuid.bytes[i]);
    out += kDigits[byte >> 4];
    out += kDigits[byte & 15];
  }
  return out;
}

static_assert(kGpuIsBusy == cudaErrorDevicesUnavailable);

class RealCudaRuntime final : public CudaRuntime {
 public:
  int driver_version(int* version) override { return cudaDriverGetVersion(version); }
  int runtime_version(int* version) override { return cudaRuntimeGetVersion(version); }
  int gpu_count(int* count) override { return cudaGetDeviceCount(count); }

  int describe(int index, GpuInfo* gpu) override {
    cudaDeviceProp properties{};
    const int code = cudaGetDeviceProperties(&properties, index);
    gpu->name = properties.name;
    gpu->uuid = uuid_text(properties.uuid);
    gpu->multiprocessors = properties.multiProcessorCount;
    gpu->l2_bytes = static_cast<std::size_t>(properties.l2CacheSize);
    gpu->memory_bytes = properties.totalGlobalMem;
    gpu->compute_capability = properties.major * 10 + properties.minor;
    return code;
  }

  int pci_bus_id(int index, std::string* id) override {
    std::array<char, 32> text{};
    const int code = cudaDeviceGetPCIBusId(text.data(), static_cast<int>(text.size()), index);
    *id = text.data();
    return code;
  }

  int make_context() override {
    const int code = cudaFree(nullptr);
    static_cast<void>(cudaGetLastError());  // or the next kernel's check would find it
    return code;
  }

  int free_memory(std::size_t* bytes) override {
    std::size_t total = 0;
    return cudaMemGetInfo(bytes, &total);
  }

  std::string error_text(int code) override {
    return cudaGetErrorString(static_cast<cudaError_t>(code));
  }
};

}  // namespace

CudaRuntime& cuda_runtime() {
  static RealCudaRuntime runtime;
  return runtime;
}

}  // namespace perfgate
