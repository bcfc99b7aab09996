#include "perfgate/gate/linked_devices.h"

#include <gtest/gtest.h>

namespace perfgate {
namespace {

using Devices = std::set<std::string>;

std::vector<DeviceValues> cases_on(const std::vector<Devices>& cases) {
  std::vector<DeviceValues> out;
  for (const auto& devices : cases) {
    DeviceValues values;
    for (const auto& device : devices) {
      values[device] = 1;
    }
    out.push_back(values);
  }
  return out;
}

TEST(LinkedDevices, AreComparedDirectlyOrOverOthers) {
  EXPECT_EQ(linked_devices(cases_on({{"A", "B"}, {"B", "C"}, {"D"}}), 1), (Devices{"A", "B", "C"}));
}

TEST(LinkedDevices, AreTheLargestOfSeveralSets) {
  EXPECT_EQ(linked_devices(cases_on({{"A", "B"}, {"C", "D"}, {"D", "E"}}), 1),
            (Devices{"C", "D", "E"}));
  // A case that links both makes them one.
  EXPECT_EQ(linked_devices(cases_on({{"A", "B"}, {"C", "D"}, {"D", "E"}, {"A", "E"}}), 1).size(),
            5U);
}

TEST(LinkedDevices, ShareEnoughCases) {
  const auto cases = cases_on({{"A", "B"}, {"A", "B"}, {"B", "C"}});
  EXPECT_EQ(linked_devices(cases, 2), (Devices{"A", "B"}));
  EXPECT_EQ(linked_devices(cases, 3), Devices{});
}

// C has two cases that other devices have as well, but not two with any of them.
TEST(LinkedDevices, AreLinkedByTheSameTwoSharingEnough) {
  EXPECT_EQ(linked_devices(cases_on({{"A", "B"}, {"A", "B"}, {"B", "C"}, {"C", "D"}}), 2),
            (Devices{"A", "B"}));
}

TEST(LinkedDevices, OfTwoSetsAndAThinBridgeAreTheLargerSet) {
  const auto cases =
      cases_on({{"A", "B", "C"}, {"A", "B", "C"}, {"C", "D"}, {"D", "E"}, {"D", "E"}});
  EXPECT_EQ(linked_devices(cases, 2), (Devices{"A", "B", "C"}));
}

TEST(LinkedDevices, AreNoneOfCasesOnOneDeviceEach) {
  EXPECT_EQ(linked_devices(cases_on({{"A"}, {"B"}}), 1), Devices{});
  EXPECT_EQ(linked_devices({}, 1), Devices{});
}

TEST(OnDevices, LeavesTheOthersOut) {
  const auto left = on_devices(cases_on({{"A", "B"}, {"C"}}), {"A"});
  ASSERT_EQ(left.size(), 2U);
  EXPECT_EQ(left[0].size(), 1U);
  EXPECT_TRUE(left[1].empty());
}

}  // namespace
}  // namespace perfgate
