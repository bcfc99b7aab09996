#include "perfgate/backends/device_choice.h"

#include <gtest/gtest.h>

#include <thread>

#include "perfgate/core/errors.h"
#include "perfgate/run/cli/options.h"

namespace perfgate {
namespace {

TEST(WorkerDevice, ShowsAWorkerTheOneGpuThatWasMeantWhateverItsNumber) {
  const auto setting = worker_device({"cuda", "NVIDIA H200", "GPU-b398e28c", {}});
  EXPECT_EQ(setting.name, "cuda");  // the first and only one that it sees
  EXPECT_EQ(setting.environment.at("CUDA_VISIBLE_DEVICES"), "GPU-b398e28c");
  EXPECT_EQ(setting.load_ahead, std::thread::hardware_concurrency() >= 6);
}

TEST(WorkerDevice, LoadsNothingAheadOnACpu) {
  const auto setting = worker_device({"cpu", "some", "machine", {}});
  EXPECT_EQ(setting.name, "cpu");
  EXPECT_EQ(setting.environment.count("CUDA_VISIBLE_DEVICES"), 0U);
  EXPECT_FALSE(setting.load_ahead);
}

TEST(DeviceChoice, NamesWhatIsPossible) {
  try {
    make_device("tpu");
    FAIL() << "made one";
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("cuda:<uuid>"), std::string::npos) << error.what();
  }
}

class Gpu final : public Device {
 public:
  [[nodiscard]] DeviceIdentity identity() const override { return {"cuda", "a GPU", "GPU-1", {}}; }
};

TEST(DeviceId, IsAnotherWhereItIsNamed) {
  const auto named = with_id(make_device("cpu"), "rack-7.b");
  EXPECT_EQ(named->identity().device_id, "rack-7.b");
  EXPECT_EQ(named->identity().model, make_device("cpu")->identity().model);
}

TEST(DeviceId, IsRefusedOfAGpuAndOfWhatIsNoId) {
  EXPECT_THROW(with_id(std::make_unique<Gpu>(), "mine"), UsageError);
  EXPECT_THROW(with_id(make_device("cpu"), "a b"), UsageError);
  EXPECT_THROW(with_id(make_device("cpu"), "../a"), UsageError);
}

}  // namespace
}  // namespace perfgate
