#include "perfgate/device/cuda.h"

#include <algorithm>

#include "perfgate/core/ascii.h"
#include "perfgate/core/errors.h"
#include "perfgate/core/facts.h"
#include "perfgate/core/plain_text.h"
#include "perfgate/device/cpu.h"

namespace perfgate {
namespace {

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

// What there is: which CUDA the driver serves, and which one this build needs.
std::string versions_there(CudaRuntime& runtime) {
  int serves = 0;
  int needs = 0;
  static_cast<void>(runtime.driver_version(&serves));
  static_cast<void>(runtime.runtime_version(&needs));
  return (serves == 0 ? "there is no driver" : "the driver serves CUDA " + version_text(serves)) +
         ", this build needs " + version_text(needs);
}

void check(CudaRuntime& runtime, int code, const std::string& doing) {
  if (code != 0) {
    throw UsageError(doing + ": " + runtime.error_text(code) + "; " + versions_there(runtime),
                     "nvidia-smi shows whether there is a GPU and which CUDA its driver serves; "
                     "gating needs none with --device=cpu");
  }
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
  return !text.empty() && text.size() < 6 && std::all_of(text.begin(), text.end(), is_digit);
}

}  // namespace

std::string uuid_text(const std::array<std::uint8_t, 16>& uuid, bool is_slice) {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string out = is_slice ? "MIG-" : "GPU-";
  for (std::size_t i = 0; i < uuid.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) {
      out += '-';
    }
    out += kDigits[uuid[i] >> 4];
    out += kDigits[uuid[i] & 15];
  }
  return out;
}

bool names_a_slice(const std::string& name) { return name.find(" MIG ") != std::string::npos; }

// A driver that does not name the profile must not let a slice pass for the card, whose baseline is
// another's.
GpuInfo told_apart(GpuInfo gpu, Nvml* nvml) {
  if (nvml != nullptr && !names_a_slice(gpu.name) && is_cut_into_slices(*nvml, gpu.pci_bus_id)) {
    gpu.name += " MIG " + std::to_string(gpu.multiprocessors) + "sm." +
                std::to_string(gpu.memory_bytes >> 30) + "gib";
    gpu.uuid.replace(0, 3, "MIG");
  }
  return gpu;
}

std::vector<GpuInfo> visible_gpus(CudaRuntime& runtime) {
  int count = 0;
  check(runtime, runtime.gpu_count(&count), "no GPU can be used");
  std::vector<GpuInfo> out(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    auto& gpu = out[static_cast<std::size_t>(i)];
    check(runtime, runtime.describe(i, &gpu), "GPU " + std::to_string(i));
    check(runtime, runtime.pci_bus_id(i, &gpu.pci_bus_id), "GPU " + std::to_string(i));
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
    out += c == '-' ? '_' : lower(c);
  }
  return out;
}

void open_gpu(CudaRuntime& runtime, const std::function<void(Seconds)>& pause) {
  constexpr int kTries = 500;
  constexpr Seconds kPause{0.01};
  int code = runtime.make_context();
  for (int i = 0; i < kTries && code == kGpuIsBusy; ++i) {
    pause(kPause);
    code = runtime.make_context();
  }
  if (code != 0) {
    throw SystemError("the GPU cannot be opened: " + runtime.error_text(code),
                      "nvidia-smi shows its state and who is on it");
  }
}

GpuMemory memory_of(CudaRuntime& runtime) {
  std::size_t free_bytes = 0;
  std::size_t all_bytes = 0;
  if (const int code = runtime.memory(&free_bytes, &all_bytes); code != 0) {
    throw SystemError("the GPU's memory: " + runtime.error_text(code), "");
  }
  return {static_cast<double>(free_bytes), static_cast<double>(all_bytes)};
}

DeviceIdentity CudaDevice::identity() const {
  int driver = 0;
  int runtime = 0;
  check(runtime_, runtime_.driver_version(&driver), "the driver's version");
  check(runtime_, runtime_.runtime_version(&runtime), "the CUDA runtime's version");
  std::string driver_text = "CUDA " + version_text(driver);
  if (nvml_ != nullptr) {
    nvml_->driver_version(&driver_text);
    driver_text = plain_line(driver_text);
  }
  DeviceIdentity out = {"cuda",
                        plain_line(gpu_.name),
                        gpu_.uuid,
                        {{"driver", driver_text},
                         {"cuda", version_text(runtime)},
                         {"pci_bus_id", gpu_.pci_bus_id},
                         {"multiprocessors", std::to_string(gpu_.multiprocessors)},
                         {"l2_mib", std::to_string(gpu_.l2_bytes >> 20)},
                         {"memory_mib", std::to_string(gpu_.memory_bytes >> 20)},
                         {"compute_capability", std::to_string(gpu_.compute_capability)}}};
  if (nvml_ != nullptr) {
    out.details.merge(gpu_limits(*nvml_, gpu_.pci_bus_id));
  }
  if (const auto quota = cpu_quota()) {  // which what queues kernels shares
    out.details["cpu_quota"] = *quota;
  }
  return out;
}

DeviceHealth CudaDevice::health(bool exclusive) const {
  if (nvml_ == nullptr) {
    return {{{"health", unknown_fact(why_no_nvml_)}}};
  }
  return gpu_health(*nvml_, gpu_.pci_bus_id, exclusive);
}

}  // namespace perfgate
