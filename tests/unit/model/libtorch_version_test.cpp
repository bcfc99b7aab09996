#include "perfgate/model/libtorch_version.h"

#include <gtest/gtest.h>

namespace perfgate {
namespace {

TEST(LibTorchVersion, IsTheSameWhereWhatItWasBuiltForWasNotRecorded) {
  EXPECT_TRUE(is_one_libtorch("2.11.0+cu130", "2.11.0+cu130"));
  EXPECT_TRUE(is_one_libtorch("2.11.0", "2.11.0+cu130"));
  EXPECT_TRUE(is_one_libtorch("2.11.0+cpu", "2.11.0"));
}

TEST(LibTorchVersion, IsAnotherForAnotherDeviceNightlyOrRelease) {
  EXPECT_FALSE(is_one_libtorch("2.11.0+cpu", "2.11.0+cu130"));
  EXPECT_FALSE(is_one_libtorch("2.14.0.dev20261126+cpu", "2.14.0.dev20261127+cpu"));
  EXPECT_FALSE(is_one_libtorch("2.14.0", "2.14.0.dev20261127+cpu"));
  EXPECT_FALSE(is_one_libtorch("2.11.0", "2.11.1+cpu"));
}

}  // namespace
}  // namespace perfgate
