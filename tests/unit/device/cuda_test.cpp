#include "perfgate/device/cuda.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mock_nvml.h"
#include "perfgate/core/errors.h"

namespace perfgate {
namespace {

using testing::_;
using testing::DoAll;
using testing::HasSubstr;
using testing::NiceMock;
using testing::Return;
using testing::SetArgPointee;
using testing_support::MockNvml;

std::vector<GpuInfo> two_gpus() {
  std::vector<GpuInfo> out(2);
  out[0].name = out[1].name = "NVIDIA H200";
  out[0].uuid = "GPU-b398e28c-0000-1111-2222-333344445555";
  out[1].uuid = "GPU-392e8684-bee0-1efe-e4d5-936396049fd4";
  return out;
}

std::string found(const std::string& device) { return find_gpu(two_gpus(), device).uuid; }

TEST(FindGpu, KnowsEveryNameOfAGpu) {
  const auto gpus = two_gpus();
  EXPECT_EQ(found("cuda"), gpus[0].uuid);
  EXPECT_EQ(found("cuda:1"), gpus[1].uuid);
  EXPECT_EQ(found("cuda:" + gpus[1].uuid), gpus[1].uuid);
  EXPECT_EQ(found("cuda:" + resource_id(gpus[1].uuid)), gpus[1].uuid);
}

TEST(FindGpu, SaysWhatIsThereWhenTheOneThatIsMeantIsNot) {
  for (const char* device : {"cuda:2", "cuda:-1", "cuda:", "cuda:1x", "cuda:GPU-0"}) {
    try {
      found(device);
      ADD_FAILURE() << device;
    } catch (const UsageError& error) {
      EXPECT_THAT(error.what(), HasSubstr(device));
      EXPECT_THAT(error.what(), HasSubstr("cuda:1 (NVIDIA H200, GPU-392e8684-"));
    }
  }
}

TEST(ResourceId, HoldsOnlyWhatCTestAllows) {
  EXPECT_EQ(resource_id("GPU-392E8684-bee0"), "gpu_392e8684_bee0");
}

TEST(CudaDevice, TakesTheDriversVersionFromNvmlWhereThatTellsIt) {
  auto nvml = std::make_shared<NiceMock<MockNvml>>();
  EXPECT_CALL(*nvml, driver_version(_))
      .WillOnce(DoAll(SetArgPointee<0>("580.159.04"), Return(0)))
      .WillRepeatedly(Return(3));
  const CudaDevice device(two_gpus()[1], nvml, "");
  EXPECT_EQ(device.identity().details.at("driver"), "580.159.04");
  EXPECT_THAT(device.identity().details.at("driver"),
              HasSubstr("CUDA "));  // what the driver serves
  EXPECT_EQ(device.identity().unit, two_gpus()[1].uuid);
  EXPECT_EQ(device.health(true).facts.at("sm_clock_mhz"), "1980");
}

TEST(CudaDevice, HasUnknownHealthWithoutNvml) {
  const CudaDevice device(two_gpus()[0], nullptr, "no libnvidia-ml.so.1");
  EXPECT_EQ(device.health(true).facts.at("health"), "unknown: no libnvidia-ml.so.1");
  EXPECT_EQ(device.health(true).objection, "");
  EXPECT_THAT(device.identity().details.at("driver"), HasSubstr("CUDA "));
}

TEST(VisibleGpus, AreListedOrRefusedInCudasOwnWords) {
  try {
    EXPECT_FALSE(visible_gpus().empty());
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("no GPU can be used: "));
    EXPECT_THAT(error.what(), HasSubstr(", this build needs "));
    EXPECT_THAT(error.what(), HasSubstr("--device=cpu"));
  }
}

}  // namespace
}  // namespace perfgate
