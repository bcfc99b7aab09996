#include "perfgate/device/nvml.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fixtures/mock_nvml.h"

namespace perfgate {
namespace {

using testing::_;
using testing::DoAll;
using testing::HasSubstr;
using testing::NiceMock;
using testing::Return;
using testing::SetArgPointee;
using testing_support::MockNvml;

constexpr int kNotSupported = 3;

class Health : public testing::Test {
 protected:
  DeviceHealth health(bool exclusive = true) {
    return gpu_health(nvml_, "0000:06:00.0", exclusive);
  }
  void run_under(unsigned long long reasons) {
    EXPECT_CALL(nvml_, clock_event_reasons(_, _))
        .WillRepeatedly(DoAll(SetArgPointee<1>(reasons), Return(0)));
  }
  NiceMock<MockNvml> nvml_;
};

TEST_F(Health, IsAskedOfTheGpuAtThisBus) {
  EXPECT_CALL(nvml_, handle_by_pci_bus_id("0000:06:00.0", _)).WillOnce(Return(0));
  const auto out = health();
  EXPECT_EQ(out.facts.at("sm_clock_mhz"), "1980");
  EXPECT_EQ(out.facts.at("power_w"), "123");
  EXPECT_EQ(out.facts.at("clock_events"), "none");
  EXPECT_EQ(out.why_unfit, std::nullopt);
}

TEST_F(Health, ObjectsToEverySlowdownThatIsNotOfTheWorkItself) {
  for (const auto& [reason, name] : {std::pair{0x8ULL, "hardware slowdown"},
                                     {0x20ULL, "software thermal slowdown"},
                                     {0x40ULL, "hardware thermal slowdown"},
                                     {0x80ULL, "hardware power brake"}}) {
    run_under(reason);
    EXPECT_EQ(health().why_unfit, name);
  }
  run_under(0x1 | 0x4 | 0x40);
  EXPECT_EQ(health().why_unfit, "hardware thermal slowdown");
  EXPECT_EQ(health().facts.at("clock_events"),
            "idle, software power cap, hardware thermal slowdown");
}

TEST_F(Health, DoesNotMindIdlingOrThePowerCap) {
  run_under(0x1 | 0x2 | 0x4 | 0x10);
  EXPECT_EQ(health().why_unfit, std::nullopt);
}

TEST_F(Health, ObjectsToUncorrectedEccErrors) {
  EXPECT_CALL(nvml_, uncorrected_ecc_errors(_, _)).WillOnce(DoAll(SetArgPointee<1>(2), Return(0)));
  EXPECT_EQ(health().why_unfit, "2 uncorrected ECC errors");
}

TEST_F(Health, ObjectsToOtherTenantsButNotToItsOwnWorker) {
  EXPECT_CALL(nvml_, compute_processes(_, _))
      .WillRepeatedly(DoAll(SetArgPointee<1>(std::vector<unsigned>{4711, 4712}), Return(0)));
  EXPECT_THAT(health(true).why_unfit.value(),
              HasSubstr("2 other processes on the GPU (first pid 4711)"));
  EXPECT_EQ(health(false).why_unfit, std::nullopt);
}

TEST_F(Health, IsUnknownAndNeverGoodWhereNvmlDoesNotTell) {
  EXPECT_CALL(nvml_, uncorrected_ecc_errors(_, _)).WillOnce(Return(kNotSupported));
  EXPECT_CALL(nvml_, clock_event_reasons(_, _)).WillOnce(Return(kNotSupported));
  EXPECT_CALL(nvml_, temperature_c(_, _)).WillOnce(Return(kNotSupported));
  const auto out = health();
  EXPECT_EQ(out.facts.at("ecc_uncorrected"), "unknown: Not Supported");
  EXPECT_EQ(out.facts.at("clock_events"), "unknown: Not Supported");
  EXPECT_EQ(out.facts.at("temperature_c"), "unknown: Not Supported");
}

TEST_F(Health, IsUnknownInEachThingThatNvmlDoesNotTell) {
  EXPECT_CALL(nvml_, sm_clock_mhz(_, _)).WillOnce(Return(kNotSupported));
  EXPECT_CALL(nvml_, memory_clock_mhz(_, _)).WillOnce(Return(kNotSupported));
  EXPECT_CALL(nvml_, power_mw(_, _)).WillOnce(Return(kNotSupported));
  EXPECT_CALL(nvml_, compute_processes(_, _)).WillOnce(Return(kNotSupported));
  const auto out = health();
  for (const char* fact : {"sm_clock_mhz", "memory_clock_mhz", "power_w", "other_processes"}) {
    EXPECT_EQ(out.facts.at(fact), "unknown: Not Supported") << fact;
  }
}

TEST_F(Health, IsUnknownAltogetherWithoutAHandle) {
  EXPECT_CALL(nvml_, handle_by_pci_bus_id(_, _)).WillOnce(Return(kNotSupported));
  EXPECT_EQ(health().facts.at("health"), "unknown: Not Supported");
}

TEST(Limits, AreThePowerLimitAndEccAsFarAsNvmlTells) {
  NiceMock<MockNvml> nvml;
  EXPECT_CALL(nvml, power_limit_mw(_, _))
      .WillRepeatedly(DoAll(SetArgPointee<1>(700'000), Return(0)));
  EXPECT_CALL(nvml, ecc_mode(_, _))
      .WillOnce(DoAll(SetArgPointee<1>(1), Return(0)))
      .WillOnce(DoAll(SetArgPointee<1>(0), Return(0)))
      .WillOnce(Return(kNotSupported));
  using Facts = std::map<std::string, std::string>;
  EXPECT_EQ(gpu_limits(nvml, "0000:06:00.0"), (Facts{{"ecc", "on"}, {"power_limit_w", "700"}}));
  EXPECT_EQ(gpu_limits(nvml, "0000:06:00.0"), (Facts{{"ecc", "off"}, {"power_limit_w", "700"}}));
  EXPECT_EQ(gpu_limits(nvml, "0000:06:00.0"), (Facts{{"power_limit_w", "700"}}));
  EXPECT_CALL(nvml, handle_by_pci_bus_id(_, _)).WillOnce(Return(kNotSupported));
  EXPECT_EQ(gpu_limits(nvml, "0000:06:00.0"), Facts{});
}

}  // namespace
}  // namespace perfgate
