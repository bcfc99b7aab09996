#pragma once
// Devices that cases compare with each other. Where one case was recorded on A and B and another on
// C and D alone, nothing tells whether C's device is slow or its cases are.

#include <map>
#include <set>
#include <string>
#include <vector>

namespace perfgate {

/// By device, what its reference sessions make of one case, in logs.
using DeviceValues = std::map<std::string, double>;

/// The same cases, less what other devices than these make of them.
std::vector<DeviceValues> on_devices(const std::vector<DeviceValues>& cases,
                                     const std::set<std::string>& devices);

/// The largest set of devices that are linked, directly or over others of the set: two devices are
/// by `least_cases` cases that both have. By fewer, two sets would only seem to be one.
std::set<std::string> linked_devices(const std::vector<DeviceValues>& cases, int least_cases);

}  // namespace perfgate
