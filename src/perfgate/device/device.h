#pragma once
// What a device says of itself. One interface, so that a fake is a few lines.

#include <map>
#include <optional>
#include <string>

namespace perfgate {

struct DeviceIdentity {
  std::string kind;       ///< "cpu" or "cuda"
  std::string model;      ///< what makes measurements comparable; names the baseline file
  std::string device_id;  ///< the one physical device: machine-id or GPU UUID
  std::map<std::string, std::string> details;  ///< governor, clocks, cache sizes... for the record
  /// Why device_id will not be known again, so that nothing may be recorded under it.
  std::optional<std::string> why_not_kept = {};
};

/// How the device is doing at this moment.
struct DeviceHealth {
  std::map<std::string, std::string> facts;  ///< clocks, power, temperature... for the record
  /// Why measurements taken now would mislead; nothing where nothing is known to.
  std::optional<std::string> why_unfit = {};
};

class Device {
 public:
  virtual ~Device() = default;
  [[nodiscard]] virtual DeviceIdentity identity() const = 0;
  /// `exclusive`: no worker of ours is running, so that whoever uses the device is somebody else.
  [[nodiscard]] virtual DeviceHealth health(bool exclusive) const {
    static_cast<void>(exclusive);
    return {};
  }
};

}  // namespace perfgate
