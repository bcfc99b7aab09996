#pragma once
// Whether a GPU is fit to be measured, by NVML. The library is opened at run time with declarations
// of our own, so that machines without a driver build and run; without it health is unknown, which
// is said and never taken for good.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "perfgate/device/device.h"

namespace perfgate {

/// The NVML calls that are used here, each returning NVML's code (0: success).
class Nvml {
 public:
  virtual ~Nvml() = default;
  virtual int handle_by_pci_bus_id(const std::string& pci_bus_id, void** gpu) = 0;
  /// Leaves `version` alone unless it is known.
  virtual int driver_version(std::string* version) = 0;
  virtual int sm_clock_mhz(void* gpu, unsigned* mhz) = 0;
  virtual int memory_clock_mhz(void* gpu, unsigned* mhz) = 0;
  virtual int power_mw(void* gpu, unsigned* milliwatts) = 0;
  virtual int temperature_c(void* gpu, unsigned* degrees) = 0;
  /// Double-bit errors since the driver was loaded.
  virtual int uncorrected_ecc_errors(void* gpu, unsigned long long* errors) = 0;
  virtual int clock_event_reasons(void* gpu, unsigned long long* reasons) = 0;
  virtual int compute_processes(void* gpu, std::vector<unsigned>* pids) = 0;
  virtual int power_limit_mw(void* gpu, unsigned* milliwatts) = 0;
  virtual int ecc_mode(void* gpu, unsigned* on) = 0;
  /// Whether the card is cut into slices (MIG), which are what CUDA then shows.
  virtual int mig_mode(void* gpu, unsigned* on) = 0;
  virtual std::string error_text(int code) = 0;
};

/// NVML of this machine, or null and the reason in `why` when it cannot be opened.
std::shared_ptr<Nvml> open_nvml(std::string* why);

/// Facts: sm_clock_mhz, memory_clock_mhz, power_w, temperature_c, ecc_uncorrected, clock_events,
/// other_processes (when `exclusive`); what NVML does not tell is "unknown: <its reason>". Objects
/// to thermal and hardware slowdown, uncorrected ECC errors and, when `exclusive`, to other
/// tenants.
DeviceHealth gpu_health(Nvml& nvml, const std::string& pci_bus_id, bool exclusive);

/// Whether CUDA shows slices of this card (MIG) instead of the whole; false where NVML does not
/// tell.
bool is_cut_into_slices(Nvml& nvml, const std::string& pci_bus_id);

/// What the GPU is set to and a reboot may change, as far as NVML tells: power_limit_w, ecc.
std::map<std::string, std::string> gpu_limits(Nvml& nvml, const std::string& pci_bus_id);

}  // namespace perfgate
