#include "perfgate/gate/linked_devices.h"

#include <algorithm>
#include <utility>

namespace perfgate {
namespace {

using DevicePair = std::pair<std::string, std::string>;

// By two devices, how many cases both have.
std::map<DevicePair, int> shared_cases(const std::vector<DeviceValues>& cases) {
  std::map<DevicePair, int> out;
  for (const auto& devices : cases) {
    for (auto one = devices.begin(); one != devices.end(); ++one) {
      for (auto other = std::next(one); other != devices.end(); ++other) {
        ++out[{one->first, other->first}];
      }
    }
  }
  return out;
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
  std::vector<std::set<std::string>> sets;
  for (const auto& [pair, count] : shared_cases(cases)) {
    if (count < least_cases) {
      continue;
    }
    std::set<std::string> joined = {pair.first, pair.second};
    std::erase_if(sets, [&joined, &pair = pair](const auto& set) {
      const bool meets = set.count(pair.first) > 0 || set.count(pair.second) > 0;
      if (meets) {
        joined.insert(set.begin(), set.end());
      }
      return meets;
    });
    sets.push_back(std::move(joined));
  }
  const auto largest = std::max_element(
      sets.begin(), sets.end(), [](const auto& a, const auto& b) { return a.size() < b.size(); });
  return largest == sets.end() ? std::set<std::string>{} : *largest;
}

}  // namespace perfgate
