#include "perfgate/gate/linked_devices.h"

#include <algorithm>

namespace perfgate {
namespace {

// Devices that enough cases compare with one of the others.
std::set<std::string> compared_devices(const std::vector<DeviceValues>& cases, int least_cases) {
  std::map<std::string, int> comparisons;
  for (const auto& devices : cases) {
    for (const auto& [device, value] : devices) {
      comparisons[device] += devices.size() > 1 ? 1 : 0;
    }
  }
  std::set<std::string> out;
  for (const auto& [device, count] : comparisons) {
    if (count >= least_cases) {
      out.insert(device);
    }
  }
  return out;
}

// Of devices that cases compare with each other, directly or over others, the most.
std::set<std::string> most_linked(const std::vector<DeviceValues>& cases) {
  std::vector<std::set<std::string>> linked;
  for (const auto& devices : cases) {
    std::set<std::string> joined;
    for (const auto& [device, value] : devices) {
      joined.insert(device);
    }
    std::erase_if(linked, [&joined, &devices](const auto& others) {
      const bool meet = std::any_of(others.begin(), others.end(), [&devices](const auto& device) {
        return devices.count(device) > 0;
      });
      if (meet) {
        joined.insert(others.begin(), others.end());
      }
      return meet;
    });
    linked.push_back(std::move(joined));
  }
  const auto most =
      std::max_element(linked.begin(), linked.end(),
                       [](const auto& a, const auto& b) { return a.size() < b.size(); });
  return most == linked.end() ? std::set<std::string>{} : *most;
}

}  // namespace

std::vector<DeviceValues> on_devices(const std::vector<DeviceValues>& cases,
                                     const std::set<std::string>& devices) {
  std::vector<DeviceValues> out;
  for (DeviceValues values : cases) {
    std::erase_if(values, [&devices](const auto& item) { return devices.count(item.first) == 0; });
    out.push_back(std::move(values));
  }
  return out;
}

std::set<std::string> linked_devices(const std::vector<DeviceValues>& cases, int least_cases) {
  auto left = cases;
  std::size_t before = 0;
  std::set<std::string> out = compared_devices(left, least_cases);
  while (out.size() != before) {  // what is left out may have been another one's only comparison
    before = out.size();
    out = most_linked(on_devices(left, out));
    left = on_devices(left, out);
    out = compared_devices(left, least_cases);
  }
  return out;
}

}  // namespace perfgate
