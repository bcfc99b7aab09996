#include "perfgate/backends/device_choice.h"

#include <nlohmann/json.hpp>
#include <string_view>
#include <thread>

#include "perfgate/core/errors.h"
#include "perfgate/core/readable_json.h"
#include "perfgate/device/cgroup.h"
#include "perfgate/device/cpu.h"
#ifdef PERFGATE_CUDA
#include "perfgate/device/cuda.h"
#endif

namespace perfgate {
namespace {

std::vector<std::string> resource_ids() {
#ifdef PERFGATE_CUDA
  std::vector<std::string> out;
  for (const auto& gpu : visible_gpus(cuda_runtime())) {
    out.push_back(resource_id(gpu.uuid));
  }
  return out;
#else
  throw UsageError("no GPU can be used: perfgate was built without a CUDA toolkit",
                   "ctest needs no resource specification on a CPU");
#endif
}

std::unique_ptr<Device> make_cuda_device(const std::string& name) {
#ifdef PERFGATE_CUDA
  const auto gpus = visible_gpus(cuda_runtime());
  std::string why_no_nvml;
  auto nvml = open_nvml(&why_no_nvml);
  return std::make_unique<CudaDevice>(cuda_runtime(), find_gpu(gpus, name), std::move(nvml),
                                      why_no_nvml);
#else
  throw UsageError(
      "\"" + name + "\": no GPU can be used: perfgate was built without a CUDA toolkit",
      "--device=cpu is what this build has");
#endif
}

class DeviceWithId final : public Device {
 public:
  DeviceWithId(std::unique_ptr<Device> device, std::string id)
      : device_(std::move(device)), id_(std::move(id)) {}
  [[nodiscard]] DeviceIdentity identity() const override {
    DeviceIdentity out = device_->identity();
    out.device_id = id_;
    out.why_not_kept.reset();
    return out;
  }
  [[nodiscard]] DeviceHealth health(bool exclusive) const override {
    return device_->health(exclusive);
  }

 private:
  std::unique_ptr<Device> device_;
  std::string id_;
};

}  // namespace

std::unique_ptr<Device> with_id(std::unique_ptr<Device> device, const std::string& id) {
  constexpr std::string_view kOfIds =
      "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ._-";
  if (device->identity().kind != "cpu") {
    throw UsageError("--device_id is of a CPU", "a GPU is known by its UUID: leave it out");
  }
  if (id.find_first_not_of(kOfIds) != std::string::npos) {
    throw UsageError("--device_id=" + id + " is no id",
                     "it may have letters, digits, '.', '_' and '-'");
  }
  return std::make_unique<DeviceWithId>(std::move(device), id);
}

std::unique_ptr<Device> make_device(const std::string& name) {
  if (name == "cpu") {
    return std::make_unique<CpuDevice>();
  }
  if (name == "cuda" || name.rfind("cuda:", 0) == 0) {
    return make_cuda_device(name);
  }
  throw UsageError("no device \"" + name + "\"", "cpu, cuda, cuda:N and cuda:<uuid> are possible");
}

std::string resource_spec() {
  using nlohmann::json;
  json gpus = json::array();
  for (const auto& id : resource_ids()) {
    gpus.push_back({{"id", id}, {"slots", 1}});
  }
  const json document = {{"version", {{"major", 1}, {"minor", 0}}},
                         {"local", json::array({{{"gpus", gpus}}})}};
  return dump_plain(document, 2);
}

WorkerDevice worker_device(const DeviceIdentity& identity) {
  const auto killed = [] { return MemoryKills{memory_kills(), cgroup_limits().memory_bytes}; };
  if (identity.kind == "cuda") {
    // The two that load need a core each: the one that measures spins on another.
    constexpr unsigned kCores = 6;
    const bool load_ahead = std::thread::hardware_concurrency() >= kCores;
    return {"cuda", {{"CUDA_VISIBLE_DEVICES", identity.device_id}}, load_ahead, killed};
  }
  // Huge pages for the heap: the placement of small ones is new in every process and moves
  // memory-bound measurements by percents.
  return {"cpu", {{"GLIBC_TUNABLES", "glibc.malloc.hugetlb=1"}}, false, killed};
}

}  // namespace perfgate
