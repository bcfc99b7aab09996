#pragma once
// What a device says of itself. One struct and one interface, so that a fake is a few lines.

#include <map>
#include <string>

namespace perfgate {

struct DeviceIdentity {
  std::string kind;   ///< "cpu" or "cuda"
  std::string model;  ///< what makes figures comparable; names the baseline file
  std::string unit;   ///< the one physical device: machine-id or GPU UUID
  std::map<std::string, std::string> details;  ///< governor, clocks, cache sizes... for the record
};

class Device {
 public:
  virtual ~Device() = default;
  [[nodiscard]] virtual DeviceIdentity identity() const = 0;
};

}  // namespace perfgate
