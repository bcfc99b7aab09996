// What compiled packages were tuned to, when their cases are recorded.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fixtures/case_run_fixture.h"

namespace perfgate {
namespace {

using testing::_;
using testing::HasSubstr;
using testing::Return;
using testing_support::kKey;
using testing_support::machine;
using testing_support::report_of_kernel;

constexpr const char* kPackage = "demo/case";

class RecordedTunings : public testing_support::CaseRunTest {
 protected:
  // `configuration` empty: nothing says what the package was tuned to.
  static WorkerReport compiled(const std::string& kernel, const std::string& configuration) {
    auto out = report_of_kernel(kernel);
    if (!configuration.empty()) {
      out.package_tunings[kPackage] = {"2.13.0", "3.6.0", {{"model", {{"01", configuration}}}}};
    }
    return out;
  }
  Outcome refreshed(const WorkerReport& reported) {
    settings_.refresh.wanted = true;
    EXPECT_CALL(launcher_, launch(kKey, _, _)).WillRepeatedly(Return(reported));
    return gate_once();
  }
  Outcome refreshed_on_another_device_with_another_libtorch(const WorkerReport& reported) {
    device_.device_id = "device-2";
    auto with = machine();
    with.environment["libtorch"] = "2.14.0";
    EXPECT_CALL(launcher_, launch(kMachineKey, _, _)).WillRepeatedly(Return(with));
    return refreshed(reported);
  }
  // Empty: none.
  [[nodiscard]] std::string recorded() const {
    const auto tunings = load_baseline(baseline_folder())->package_tunings;
    const auto found = tunings.find(kPackage);
    return found == tunings.end() ? "" : found->second.programs.at("model").at("01");
  }
};

TEST_F(RecordedTunings, AreThoseOfTheFirstSession) {
  refreshed(compiled("norm_0", "XBLOCK 2"));
  EXPECT_EQ(recorded(), "XBLOCK 2");
}

TEST_F(RecordedTunings, AreOfWhatRunsTheRecordedKernels) {
  refreshed(compiled("norm_0", ""));
  EXPECT_EQ(refreshed(compiled("norm_1", "XBLOCK 1")).recorded, Recorded::kSession);
  EXPECT_EQ(recorded(), "");
  EXPECT_EQ(refreshed(compiled("norm_0", "XBLOCK 2")).recorded, Recorded::kSession);
  EXPECT_EQ(recorded(), "XBLOCK 2");
}

TEST_F(RecordedTunings, AreKeptThoughTheSessionOfANewDeviceIsRefused) {
  refreshed(compiled("norm_0", ""));
  device_.device_id = "device-1";
  refreshed(compiled("norm_0", ""));
  const auto other =
      refreshed_on_another_device_with_another_libtorch(compiled("norm_1", "XBLOCK 1"));
  EXPECT_EQ(other.recorded, Recorded::kRefused);
  EXPECT_EQ(recorded(), "");
  const auto same =
      refreshed_on_another_device_with_another_libtorch(compiled("norm_0", "XBLOCK 2"));
  EXPECT_EQ(same.recorded, Recorded::kRefused);
  EXPECT_THAT(same.message, HasSubstr("what its package was tuned to is added"));
  EXPECT_EQ(recorded(), "XBLOCK 2");
  EXPECT_EQ(load_baseline(baseline_folder())->sessions.size(), 2U);
  refreshed_on_another_device_with_another_libtorch(compiled("norm_0", "XBLOCK 4"));
  EXPECT_EQ(recorded(), "XBLOCK 2") << "what is recorded stays";
}

}  // namespace
}  // namespace perfgate
