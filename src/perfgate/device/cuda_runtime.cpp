#include "perfgate/device/cuda_runtime.h"

#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>

#include "perfgate/device/cuda.h"

namespace perfgate {
namespace {

static_assert(kGpuIsBusy == cudaErrorDevicesUnavailable);

// The driver's second version of this call gives the UUID of a slice, where others may give that of
// its card.
void ask_for_the_slices_uuid(int index, std::array<std::uint8_t, 16>& uuid) {
  void* driver = dlopen("libcuda.so.1", RTLD_NOW);  // which the runtime has opened for itself alone
  if (driver == nullptr) {
    return;
  }
  auto* get = reinterpret_cast<int (*)(int*, int)>(dlsym(driver, "cuDeviceGet"));
  auto* uuid_of = reinterpret_cast<int (*)(void*, int)>(dlsym(driver, "cuDeviceGetUuid_v2"));
  int device = 0;
  std::array<std::uint8_t, 16> found{};
  if (get != nullptr && uuid_of != nullptr && get(&device, index) == 0 &&
      uuid_of(found.data(), device) == 0) {
    uuid = found;
  }
  dlclose(driver);
}

class RealCudaRuntime final : public CudaRuntime {
 public:
  int driver_version(int* version) override { return cudaDriverGetVersion(version); }
  int runtime_version(int* version) override { return cudaRuntimeGetVersion(version); }
  int gpu_count(int* count) override { return cudaGetDeviceCount(count); }

  int describe(int index, GpuInfo* gpu) override {
    cudaDeviceProp properties{};
    const int code = cudaGetDeviceProperties(&properties, index);
    gpu->name = properties.name;
    std::array<std::uint8_t, 16> uuid{};
    std::copy(std::begin(properties.uuid.bytes), std::end(properties.uuid.bytes), uuid.begin());
    const bool is_slice = names_a_slice(gpu->name);
    if (is_slice) {
      ask_for_the_slices_uuid(index, uuid);
    }
    gpu->uuid = uuid_text(uuid, is_slice);
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

  int memory(std::size_t* free_bytes, std::size_t* all_bytes) override {
    return cudaMemGetInfo(free_bytes, all_bytes);
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
