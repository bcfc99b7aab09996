#include "perfgate/device/cuda.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "perfgate/core/errors.h"

namespace perfgate {
namespace {

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

// What there is: which CUDA the driver serves, and which one this build needs.
std::string versions_there() {
  int driver = 0;
  int runtime = 0;
  static_cast<void>(cudaDriverGetVersion(&driver));
  static_cast<void>(cudaRuntimeGetVersion(&runtime));
  return (driver == 0 ? "there is no driver" : "the driver serves CUDA " + version_text(driver)) +
         ", this build needs " + version_text(runtime);
}

void check(cudaError_t code, const std::string& doing) {
  if (code != cudaSuccess) {
    throw UsageError(doing + ": " + cudaGetErrorString(code) + "; " + versions_there(),
                     "nvidia-smi shows whether there is a GPU and which CUDA its driver serves; "
                     "gating needs none with --device=cpu");
  }
}

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

std::string listed(const std::vector<GpuInfo>& gpus) {
  std::string out;
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    out += (out.empty() ? "" : ", ") + std::string("cuda:") + std::to_string(i) + " (" +
           gpus[i].name + ", " + gpus[i].uuid + ")";
  }
  return out;
}

bool is_number(const std::string& text) {
  return !text.empty() && text.size() < 6 && std::all_of(text.begin(), text.end(), [](char c) {
    return std::isdigit(static_cast<unsigned char>(c)) != 0;
  });
}

}  // namespace

std::vector<GpuInfo> visible_gpus() {
  int count = 0;
  check(cudaGetDeviceCount(&count), "no GPU can be used");
  std::vector<GpuInfo> out;
  for (int i = 0; i < count; ++i) {
    cudaDeviceProp properties{};
    check(cudaGetDeviceProperties(&properties, i), "GPU " + std::to_string(i));
    std::array<char, 32> bus{};
    check(cudaDeviceGetPCIBusId(bus.data(), static_cast<int>(bus.size()), i),
          "GPU " + std::to_string(i));
    out.push_back({properties.name, uuid_text(properties.uuid), bus.data(),
                   properties.multiProcessorCount, static_cast<std::size_t>(properties.l2CacheSize),
                   properties.totalGlobalMem, properties.major * 10 + properties.minor});
  }
  return out;
}

const GpuInfo& find_gpu(const std::vector<GpuInfo>& gpus, const std::string& device) {
  const std::string name = device == "cuda" ? "0" : device.substr(device.find(':') + 1);
  if (is_number(name)) {
    const auto index = static_cast<std::size_t>(std::stoi(name));
    if (index < gpus.size()) {
      return gpus[index];
    }
  }
  const auto found = std::find_if(gpus.begin(), gpus.end(), [&](const GpuInfo& gpu) {
    return resource_id(gpu.uuid) == resource_id(name);
  });
  if (found == gpus.end()) {
    throw UsageError("no device \"" + device + "\"", "there is: " + listed(gpus) + ", cpu");
  }
  return *found;
}

std::string resource_id(const std::string& uuid) {
  std::string out;
  for (const char c : uuid) {
    out += c == '-' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return out;
}

DeviceIdentity CudaDevice::identity() const {
  int driver = 0;
  int runtime = 0;
  check(cudaDriverGetVersion(&driver), "the driver's version");
  check(cudaRuntimeGetVersion(&runtime), "the CUDA runtime's version");
  std::string driver_text = "CUDA " + version_text(driver);
  if (nvml_ != nullptr) {
    nvml_->driver_version(&driver_text);
  }
  return {"cuda",
          gpu_.name,
          gpu_.uuid,
          {{"driver", driver_text},
           {"cuda", version_text(runtime)},
           {"pci_bus_id", gpu_.pci_bus_id},
           {"multiprocessors", std::to_string(gpu_.multiprocessors)},
           {"l2_mib", std::to_string(gpu_.l2_bytes >> 20)},
           {"memory_mib", std::to_string(gpu_.memory_bytes >> 20)},
           {"compute_capability", std::to_string(gpu_.compute_capability)}}};
}

DeviceHealth CudaDevice::health(bool alone) const {
  if (nvml_ == nullptr) {
    return {{{"health", "unknown: " + why_no_nvml_}}, ""};
  }
  return gpu_health(*nvml_, gpu_.pci_bus_id, alone);
}

}  // namespace perfgate
