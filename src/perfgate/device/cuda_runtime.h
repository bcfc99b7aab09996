#pragma once
// The calls of the CUDA runtime by which a GPU is found and opened: the seam at which tests fail
// each of them once.

#include <cstddef>
#include <string>

namespace perfgate {

struct GpuInfo {
  std::string name;        ///< "NVIDIA H200"; of a slice of one "NVIDIA H200 MIG 1g.18gb"
  std::string uuid;        ///< "GPU-b398e28c-..."; of a slice "MIG-b398e28c-..."
  std::string pci_bus_id;  ///< "0000:0A:00.0"
  int multiprocessors = 0;
  std::size_t l2_bytes = 0;
  std::size_t memory_bytes = 0;
  int compute_capability = 0;  ///< 90 for 9.0
};

/// cudaErrorDevicesUnavailable.
constexpr int kGpuIsBusy = 46;

/// Each returns CUDA's code (0: success). Versions are as CUDA has them: 13000 for 13.0.
class CudaRuntime {
 public:
  virtual ~CudaRuntime() = default;
  /// Which CUDA the driver serves; 0 without a driver.
  virtual int driver_version(int* version) = 0;
  virtual int runtime_version(int* version) = 0;
  virtual int gpu_count(int* count) = 0;
  /// All but the bus id.
  virtual int describe(int index, GpuInfo* gpu) = 0;
  virtual int pci_bus_id(int index, std::string* id) = 0;
  /// Makes the context on the first GPU, and forgets CUDA's last error. Takes 0.1 s.
  virtual int make_context() = 0;
  virtual int memory(std::size_t* free_bytes, std::size_t* all_bytes) = 0;
  virtual std::string error_text(int code) = 0;
};

/// The one of this process; makes no context by itself. Only in builds with a CUDA toolkit.
CudaRuntime& cuda_runtime();

}  // namespace perfgate
