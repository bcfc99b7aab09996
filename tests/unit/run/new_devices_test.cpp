// Devices that a baseline does not know, when they are recorded.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fixtures/case_run_fixture.h"

namespace perfgate {
namespace {

using testing::_;
using testing::Return;
using testing_support::kKey;
using testing_support::machine;
using testing_support::report;

using Refresh = testing_support::CaseRunTest;

// Devices that the baseline does not know, with a library that it does not know.
class NewDevices : public Refresh {
 protected:
  void use_libtorch(const std::string& version) {
    auto with = machine();
    with.environment["libtorch"] = version;
    EXPECT_CALL(launcher_, launch(kMachineKey, _, _)).WillRepeatedly(Return(with));
  }
  Outcome recorded_on(const std::string& device_id, const std::string& libtorch,
                      double utilisation) {
    device_.device_id = device_id;
    settings_.refresh.wanted = true;
    use_libtorch(libtorch);
    EXPECT_CALL(launcher_, launch(kKey, _, _)).WillRepeatedly(Return(report(utilisation)));
    return gate_once();
  }
  // Three sessions with the library that the baseline begins with.
  void begin_on(const std::string& device_id) {
    for (int i = 0; i < 3; ++i) {
      ASSERT_TRUE(recorded_on(device_id, "2.13.0", 0.5).accepted());
    }
  }
  [[nodiscard]] Revision revision() const {
    return load_baseline(baseline_folder())->cases.at(kKey).revisions.back();
  }
};

TEST_F(NewDevices, CannotLetASlowDriftIn) {
  begin_on("device-0");
  begin_on("device-1");
  const auto before = recorded_files();
  for (int month = 1; month <= 14; ++month) {
    const auto outcome = recorded_on("device-" + std::to_string(10 + month),
                                     "2.14." + std::to_string(month), 0.5 / (1 + 0.015 * month));
    EXPECT_EQ(outcome.recorded, Recorded::kRefused) << month;
    EXPECT_EQ(exit_code_, ExitCode::kRefused);
  }
  EXPECT_EQ(recorded_files(), before);
}

TEST_F(NewDevices, JoinWithTheBaselinesOwnBuild) {
  begin_on("device-0");
  begin_on("device-1");
  EXPECT_EQ(revision().reference.size(), 6U);
}

TEST_F(NewDevices, JoinWithABuildThatADeviceOfTheFirstOneIsNoSlowerWith) {
  begin_on("device-0");
  begin_on("device-1");
  EXPECT_THAT(recorded_on("device-2", "2.14.0", 0.5).message,
              testing::HasSubstr("this device is new to the baseline, and so is what it measured"));
  EXPECT_EQ(recorded_on("device-0", "2.14.0", 0.5).recorded, Recorded::kSession);
  EXPECT_EQ(revision().reference.size(), 6U);  // which tells of the noise alone
  EXPECT_EQ(recorded_on("device-2", "2.14.0", 0.5).recorded, Recorded::kSession);
  EXPECT_EQ(revision().reference.size(), 7U);
  // What the new device is no slower with is not what the first ones were.
  recorded_on("device-2", "2.14.0", 0.5);
  recorded_on("device-2", "2.14.0", 0.5);
  EXPECT_EQ(recorded_on("device-2", "2.15.0", 0.5).recorded, Recorded::kSession);
  EXPECT_EQ(recorded_on("device-3", "2.15.0", 0.5).recorded, Recorded::kRefused);
}

TEST_F(NewDevices, BeginAnewWhereThatIsAccepted) {
  begin_on("device-0");
  begin_on("device-1");
  settings_.refresh.accept = {{"demo/*", "LibTorch 2.14"}};
  EXPECT_EQ(recorded_on("device-2", "2.14.0", 0.49).recorded, Recorded::kRevision);
  EXPECT_EQ(revision().reason, "LibTorch 2.14");
}

}  // namespace
}  // namespace perfgate
