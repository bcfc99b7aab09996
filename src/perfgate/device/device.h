#pragma once
// What a device says of itself. One interface, so that a fake is a few lines.

#include <map>
#include <string>

namespace perfgate {

struct DeviceIdentity {
  std::string kind;   ///< "cpu" or "cuda"
  std::string model;  ///< what makes figures comparable; names the baseline file
  std::string unit;   ///< the one physical device: machine-id or GPU UUID
  std::map<std::string, std::string> details;  ///< governor, clocks, cache sizes... for the record
};

/// How the device is doing at this moment.
struct DeviceHealth {
  std::map<std::string, std::string> facts;  ///< clocks, power, temperature... for the record
  std::string objection;  ///< why figures measured now would mislead; empty: nothing is known to
};

class Device {
 public:
  virtual ~Device() = default;
  [[nodiscard]] virtual DeviceIdentity identity() const = 0;
  /// `alone`: no worker of ours is running, so that whoever is on the device is somebody else.
  [[nodiscard]] virtual DeviceHealth health(bool alone) const {
    static_cast<void>(alone);
    return {};
  }
};

}  // namespace perfgate
