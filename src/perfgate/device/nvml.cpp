#include "perfgate/device/nvml.h"

#include <dlfcn.h>

#include <array>

#include "perfgate/core/facts.h"

namespace perfgate {
namespace {

// Bits of nvmlClocksEventReasons (NVML API reference, "NvmlClocksEventReasons").
struct Reason {
  unsigned long long bit;
  const char* name;
  bool unfit;  // measurements taken under it are not the device's
};
constexpr std::array<Reason, 9> kReasons = {{{0x1, "idle", false},
                                             {0x2, "application clocks", false},
                                             {0x4, "software power cap", false},
                                             {0x8, "hardware slowdown", true},
                                             {0x10, "sync boost", false},
                                             {0x20, "software thermal slowdown", true},
                                             {0x40, "hardware thermal slowdown", true},
                                             {0x80, "hardware power brake", true},
                                             {0x100, "display clocks", false}}};

std::string joined(const std::string& list, const std::string& item) {
  return list.empty() ? item : list + ", " + item;
}

std::string reason_names(unsigned long long reasons, bool unfit_only) {
  std::string out;
  for (const auto& reason : kReasons) {
    if ((reasons & reason.bit) != 0 && (reason.unfit || !unfit_only)) {
      out = joined(out, reason.name);
    }
  }
  return out.empty() ? "none" : out;
}

// The real library. Types and constants are NVML's own, declared here.
class LoadedNvml final : public Nvml {
 public:
  explicit LoadedNvml(void* library) : library_(library) {}
  ~LoadedNvml() override {
    call<int()>("nvmlShutdown");
    dlclose(library_);
  }
  LoadedNvml(const LoadedNvml&) = delete;
  LoadedNvml& operator=(const LoadedNvml&) = delete;

  int init() { return call<int()>("nvmlInit_v2"); }

  int handle_by_pci_bus_id(const std::string& pci_bus_id, void** gpu) override {
    return call<int(const char*, void**)>("nvmlDeviceGetHandleByPciBusId_v2", pci_bus_id.c_str(),
                                          gpu);
  }
  int driver_version(std::string* version) override {
    std::array<char, 96> text{};
    const int code = call<int(char*, unsigned)>("nvmlSystemGetDriverVersion", text.data(),
                                                static_cast<unsigned>(text.size()));
    if (code == 0) {
      *version = text.data();
    }
    return code;
  }
  int sm_clock_mhz(void* gpu, unsigned* mhz) override {
    constexpr int kSm = 1;
    return call<int(void*, int, unsigned*)>("nvmlDeviceGetClockInfo", gpu, kSm, mhz);
  }
  int memory_clock_mhz(void* gpu, unsigned* mhz) override {
    constexpr int kMemory = 2;
    return call<int(void*, int, unsigned*)>("nvmlDeviceGetClockInfo", gpu, kMemory, mhz);
  }
  int power_mw(void* gpu, unsigned* milliwatts) override {
    return call<int(void*, unsigned*)>("nvmlDeviceGetPowerUsage", gpu, milliwatts);
  }
  int temperature_c(void* gpu, unsigned* degrees) override {
    constexpr int kGpuSensor = 0;
    return call<int(void*, int, unsigned*)>("nvmlDeviceGetTemperature", gpu, kGpuSensor, degrees);
  }
  int uncorrected_ecc_errors(void* gpu, unsigned long long* errors) override {
    constexpr int kUncorrected = 1;
    constexpr int kSinceDriverLoad = 0;
    return call<int(void*, int, int, unsigned long long*)>("nvmlDeviceGetTotalEccErrors", gpu,
                                                           kUncorrected, kSinceDriverLoad, errors);
  }
  int clock_event_reasons(void* gpu, unsigned long long* reasons) override {
    using Function = int(void*, unsigned long long*);
    const char* name = dlsym(library_, "nvmlDeviceGetCurrentClocksEventReasons") != nullptr
                           ? "nvmlDeviceGetCurrentClocksEventReasons"
                           : "nvmlDeviceGetCurrentClocksThrottleReasons";  // before driver 535
    return call<Function>(name, gpu, reasons);
  }
  int compute_processes(void* gpu, std::vector<unsigned>* pids) override {
    struct ProcessInfo {
      unsigned pid;
      unsigned long long used_memory;
      unsigned gpu_instance;
      unsigned compute_instance;
    };
    std::array<ProcessInfo, 128> processes{};
    auto count = static_cast<unsigned>(processes.size());
    const int code = call<int(void*, unsigned*, ProcessInfo*)>(
        "nvmlDeviceGetComputeRunningProcesses_v3", gpu, &count, processes.data());
    for (unsigned i = 0; code == 0 && i < count; ++i) {
      pids->push_back(processes.at(i).pid);
    }
    return code;
  }
  int power_limit_mw(void* gpu, unsigned* milliwatts) override {
    return call<int(void*, unsigned*)>("nvmlDeviceGetEnforcedPowerLimit", gpu, milliwatts);
  }
  int ecc_mode(void* gpu, unsigned* on) override {
    unsigned after_reboot = 0;
    return call<int(void*, unsigned*, unsigned*)>("nvmlDeviceGetEccMode", gpu, on, &after_reboot);
  }
  int mig_mode(void* gpu, unsigned* on) override {
    unsigned after_reset = 0;
    return call<int(void*, unsigned*, unsigned*)>("nvmlDeviceGetMigMode", gpu, on, &after_reset);
  }
  std::string error_text(int code) override {
    using Function = const char*(int);
    auto* function = reinterpret_cast<Function*>(dlsym(library_, "nvmlErrorString"));
    return function != nullptr ? function(code) : "NVML error " + std::to_string(code);
  }

 private:
  template <class Function, class... Arguments>
  int call(const char* name, Arguments... arguments) {
    constexpr int kFunctionNotFound = 13;
    auto* function = reinterpret_cast<Function*>(dlsym(library_, name));
    return function != nullptr ? function(arguments...) : kFunctionNotFound;
  }

  void* library_;
};

}  // namespace

std::shared_ptr<Nvml> open_nvml(std::string* why) {
  void* library = dlopen("libnvidia-ml.so.1", RTLD_NOW);
  if (library == nullptr) {
    *why = dlerror();
    return nullptr;
  }
  auto out = std::make_shared<LoadedNvml>(library);
  if (const int code = out->init(); code != 0) {
    *why = out->error_text(code);
    return nullptr;
  }
  return out;
}

DeviceHealth gpu_health(Nvml& nvml, const std::string& pci_bus_id, bool exclusive) {
  DeviceHealth out;
  void* gpu = nullptr;
  if (const int code = nvml.handle_by_pci_bus_id(pci_bus_id, &gpu); code != 0) {
    out.facts["health"] = unknown_fact(nvml.error_text(code));
    return out;
  }
  const auto tell = [&](const char* name, int code, const std::string& text) {
    out.facts[name] = code == 0 ? text : unknown_fact(nvml.error_text(code));
    return code == 0;
  };
  const auto object = [&](const std::string& text) {
    out.why_unfit = joined(out.why_unfit.value_or(""), text);
  };

  const auto read = [&](const char* name, int (Nvml::*ask)(void*, unsigned*), unsigned divisor) {
    unsigned number = 0;
    const int code = (nvml.*ask)(gpu, &number);
    tell(name, code, std::to_string(number / divisor));
  };
  read("sm_clock_mhz", &Nvml::sm_clock_mhz, 1);
  read("memory_clock_mhz", &Nvml::memory_clock_mhz, 1);
  read("power_w", &Nvml::power_mw, 1000);
  read("temperature_c", &Nvml::temperature_c, 1);

  unsigned long long errors = 0;
  int code = nvml.uncorrected_ecc_errors(gpu, &errors);
  if (tell("ecc_uncorrected", code, std::to_string(errors)) && errors > 0) {
    object(std::to_string(errors) + " uncorrected ECC errors");
  }
  unsigned long long reasons = 0;
  code = nvml.clock_event_reasons(gpu, &reasons);
  if (tell("clock_events", code, reason_names(reasons, false)) &&
      reason_names(reasons, true) != "none") {
    object(reason_names(reasons, true));
  }
  if (exclusive) {
    std::vector<unsigned> pids;
    code = nvml.compute_processes(gpu, &pids);
    if (tell("other_processes", code, std::to_string(pids.size())) && !pids.empty()) {
      object(std::to_string(pids.size()) + " other process" + (pids.size() == 1 ? "" : "es") +
             " on the GPU (first pid " + std::to_string(pids.front()) + ")");
    }
  }
  return out;
}

bool is_cut_into_slices(Nvml& nvml, const std::string& pci_bus_id) {
  void* gpu = nullptr;
  unsigned on = 0;
  return nvml.handle_by_pci_bus_id(pci_bus_id, &gpu) == 0 && nvml.mig_mode(gpu, &on) == 0 &&
         on != 0;
}

std::map<std::string, std::string> gpu_limits(Nvml& nvml, const std::string& pci_bus_id) {
  std::map<std::string, std::string> out;
  void* gpu = nullptr;
  if (nvml.handle_by_pci_bus_id(pci_bus_id, &gpu) != 0) {
    return out;
  }
  unsigned number = 0;
  if (nvml.power_limit_mw(gpu, &number) == 0) {
    out["power_limit_w"] = std::to_string(number / 1000);
  }
  if (nvml.ecc_mode(gpu, &number) == 0) {
    out["ecc"] = number == 0 ? "off" : "on";
  }
  return out;
}

}  // namespace perfgate
