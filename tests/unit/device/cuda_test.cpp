#include "perfgate/device/cuda.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fixtures/message_of.h"
#include "fixtures/mock_nvml.h"
#include "perfgate/core/errors.h"

namespace perfgate {
namespace {

using testing::_;
using testing::AllOf;
using testing::DoAll;
using testing::HasSubstr;
using testing::NiceMock;
using testing::Return;
using testing::SetArgPointee;
using testing_support::message_of;
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

// Two GPUs on a driver that serves CUDA 13.1, until a test lets a call fail.
class MockCudaRuntime : public CudaRuntime {
 public:
  MockCudaRuntime() {
    ON_CALL(*this, driver_version(_)).WillByDefault(DoAll(SetArgPointee<0>(13010), Return(0)));
    ON_CALL(*this, runtime_version(_)).WillByDefault(DoAll(SetArgPointee<0>(13000), Return(0)));
    ON_CALL(*this, gpu_count(_)).WillByDefault(DoAll(SetArgPointee<0>(2), Return(0)));
    ON_CALL(*this, describe(_, _)).WillByDefault([](int index, GpuInfo* gpu) {
      *gpu = two_gpus()[static_cast<std::size_t>(index)];
      return 0;
    });
    ON_CALL(*this, pci_bus_id(_, _))
        .WillByDefault(DoAll(SetArgPointee<1>("0000:0A:00.0"), Return(0)));
    ON_CALL(*this, memory(_, _))
        .WillByDefault(
            DoAll(SetArgPointee<0>(1 << 30), SetArgPointee<1>(std::size_t{2} << 30), Return(0)));
    ON_CALL(*this, error_text(_)).WillByDefault([](int code) {
      return "CUDA error " + std::to_string(code);
    });
  }
  MOCK_METHOD(int, driver_version, (int* version), (override));
  MOCK_METHOD(int, runtime_version, (int* version), (override));
  MOCK_METHOD(int, gpu_count, (int* count), (override));
  MOCK_METHOD(int, describe, (int index, GpuInfo* gpu), (override));
  MOCK_METHOD(int, pci_bus_id, (int index, std::string* id), (override));
  MOCK_METHOD(int, make_context, (), (override));
  MOCK_METHOD(int, memory, (std::size_t * free_bytes, std::size_t* all_bytes), (override));
  MOCK_METHOD(std::string, error_text, (int code), (override));
};

class Cuda : public testing::Test {
 protected:
  NiceMock<MockCudaRuntime> runtime_;
};

TEST(CudaUuid, IsWrittenAsNvidiaSmiDoes) {
  EXPECT_EQ(uuid_text({0xb3, 0x98, 0xe2, 0x8c, 0x01, 0x20, 0xff, 0x00, 0x7a, 0x5b, 0x10, 0x32, 0x54,
                       0x76, 0x98, 0xba}),
            "GPU-b398e28c-0120-ff00-7a5b-1032547698ba");
}

TEST_F(Cuda, ListsTheGpusThatItShows) {
  const auto gpus = visible_gpus(runtime_);
  ASSERT_EQ(gpus.size(), 2U);
  EXPECT_EQ(gpus[1].uuid, two_gpus()[1].uuid);
  EXPECT_EQ(gpus[1].pci_bus_id, "0000:0A:00.0");
}

TEST_F(Cuda, SaysInItsOwnWordsWhyNoGpuCanBeUsed) {
  const auto refusal = [&] { return message_of([&] { (void)visible_gpus(runtime_); }); };
  EXPECT_CALL(runtime_, gpu_count(_)).WillOnce(Return(35)).WillRepeatedly(Return(100));
  EXPECT_THAT(refusal(),
              AllOf(HasSubstr("no GPU can be used: CUDA error 35; the driver serves CUDA "
                              "13.1, this build needs 13.0"),
                    HasSubstr("--device=cpu")));
  ON_CALL(runtime_, driver_version(_)).WillByDefault(DoAll(SetArgPointee<0>(0), Return(0)));
  EXPECT_THAT(refusal(), HasSubstr("CUDA error 100; there is no driver, this build needs 13.0"));
}

TEST_F(Cuda, NamesTheGpuThatCannotBeDescribed) {
  EXPECT_CALL(runtime_, describe(0, _)).WillRepeatedly(Return(0));
  EXPECT_CALL(runtime_, describe(1, _)).WillOnce(Return(999)).WillRepeatedly(Return(0));
  EXPECT_THAT(message_of([&] { (void)visible_gpus(runtime_); }),
              HasSubstr("GPU 1: CUDA error 999"));
  EXPECT_CALL(runtime_, pci_bus_id(0, _)).WillOnce(Return(999));
  EXPECT_THAT(message_of([&] { (void)visible_gpus(runtime_); }),
              HasSubstr("GPU 0: CUDA error 999"));
}

TEST_F(Cuda, WaitsForTheWorkerBeforeToLeaveTheGpu) {
  int pauses = 0;
  const auto pause = [&](Seconds length) { pauses += length > Seconds(0) ? 1 : 0; };
  EXPECT_CALL(runtime_, make_context())
      .WillOnce(Return(kGpuIsBusy))
      .WillOnce(Return(kGpuIsBusy))
      .WillOnce(Return(0));
  open_gpu(runtime_, pause);
  EXPECT_EQ(pauses, 2);
}

TEST_F(Cuda, GivesUpAGpuThatStaysBusyAndAtOnceOneThatCannotBeOpened) {
  Seconds waited{0};
  const auto refusal = [&] {
    return message_of<SystemError>(
        [&] { open_gpu(runtime_, [&](Seconds pause) { waited += pause; }); });
  };
  EXPECT_CALL(runtime_, make_context()).WillRepeatedly(Return(kGpuIsBusy));
  EXPECT_THAT(refusal(), HasSubstr("the GPU cannot be opened: CUDA error 46"));
  EXPECT_NEAR(waited.count(), 5, 0.01);
  waited = Seconds(0);
  EXPECT_CALL(runtime_, make_context()).WillRepeatedly(Return(2));
  EXPECT_THAT(refusal(), HasSubstr("CUDA error 2"));
  EXPECT_EQ(waited.count(), 0);
}

TEST_F(Cuda, TellsItsMemoryOrWhyNot) {
  const GpuMemory memory = memory_of(runtime_);
  EXPECT_EQ(memory.free_bytes, 1073741824);
  EXPECT_EQ(memory.all_bytes, 2147483648);
  EXPECT_CALL(runtime_, memory(_, _)).WillOnce(Return(719));
  EXPECT_THAT(message_of<SystemError>([&] { (void)memory_of(runtime_); }),
              HasSubstr("the GPU's memory: CUDA error 719"));
}

class CudaDeviceTest : public Cuda {
 protected:
  std::shared_ptr<NiceMock<MockNvml>> nvml_ = std::make_shared<NiceMock<MockNvml>>();
};

TEST_F(CudaDeviceTest, TakesTheDriversVersionFromNvmlWhereThatTellsIt) {
  EXPECT_CALL(*nvml_, driver_version(_))
      .WillOnce(DoAll(SetArgPointee<0>("580.159.04"), Return(0)))
      .WillRepeatedly(Return(3));
  const CudaDevice device(runtime_, two_gpus()[1], nvml_, "");
  EXPECT_EQ(device.identity().details.at("driver"), "580.159.04");
  EXPECT_EQ(device.identity().details.at("driver"), "CUDA 13.1");  // what the driver serves
  EXPECT_EQ(device.identity().details.at("cuda"), "13.0");
  EXPECT_EQ(device.identity().device_id, two_gpus()[1].uuid);
  EXPECT_EQ(device.health(true).facts.at("sm_clock_mhz"), "1980");
}

TEST_F(CudaDeviceTest, IsASliceByItsNameAndNeverTheWholeCard) {
  EXPECT_TRUE(names_a_slice("NVIDIA H200 MIG 1g.18gb"));
  EXPECT_FALSE(names_a_slice("NVIDIA H200"));
  EXPECT_EQ(uuid_text({0xb3, 0x98}, true), "MIG-b3980000-0000-0000-0000-000000000000");
  GpuInfo slice = two_gpus()[0];
  slice.name = "NVIDIA H200 MIG 1g.18gb";
  slice.uuid = "MIG-b398e28c-0000-1111-2222-333344445555";
  ON_CALL(*nvml_, mig_mode(_, _)).WillByDefault(DoAll(SetArgPointee<1>(1), Return(0)));
  for (const auto& nvml : {std::shared_ptr<Nvml>(nvml_), std::shared_ptr<Nvml>()}) {
    const auto identity = CudaDevice(runtime_, slice, nvml, "").identity();
    EXPECT_EQ(identity.model, slice.name);
    EXPECT_EQ(identity.device_id, slice.uuid);
  }
}

TEST_F(CudaDeviceTest, IsASliceWhereOnlyNvmlSaysThatTheCardIsCut) {
  GpuInfo slice = two_gpus()[0];
  slice.multiprocessors = 16;
  slice.memory_bytes = std::size_t{17} << 30;
  EXPECT_CALL(*nvml_, mig_mode(_, _))
      .WillOnce(DoAll(SetArgPointee<1>(1), Return(0)))
      .WillOnce(DoAll(SetArgPointee<1>(0), Return(0)))
      .WillOnce(DoAll(SetArgPointee<1>(1), Return(3)));  // Not Supported: no such card
  const auto identity = CudaDevice(runtime_, slice, nvml_, "").identity();
  EXPECT_EQ(identity.model, "NVIDIA H200 MIG 16sm.17gib");
  EXPECT_EQ(identity.device_id, "MIG-b398e28c-0000-1111-2222-333344445555");
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(CudaDevice(runtime_, slice, nvml_, "").identity().model, "NVIDIA H200");
  }
}

TEST_F(CudaDeviceTest, HasUnknownHealthWithoutNvml) {
  const CudaDevice device(runtime_, two_gpus()[0], nullptr, "no libnvidia-ml.so.1");
  EXPECT_EQ(device.health(true).facts.at("health"), "unknown: no libnvidia-ml.so.1");
  EXPECT_EQ(device.health(true).why_unfit, std::nullopt);
  EXPECT_EQ(device.identity().details.at("driver"), "CUDA 13.1");
}

TEST_F(CudaDeviceTest, HasNoIdentityWhereVersionsCannotBeRead) {
  const CudaDevice device(runtime_, two_gpus()[0], nullptr, "");
  const auto refusal = [&] { return message_of([&] { (void)device.identity(); }); };
  EXPECT_CALL(runtime_, driver_version(_)).WillOnce(Return(3)).WillRepeatedly(Return(0));
  EXPECT_THAT(refusal(), HasSubstr("the driver's version: CUDA error 3"));
  EXPECT_CALL(runtime_, runtime_version(_)).WillOnce(Return(3)).WillRepeatedly(Return(0));
  EXPECT_THAT(refusal(), HasSubstr("the CUDA runtime's version: CUDA error 3"));
}

}  // namespace
}  // namespace perfgate
