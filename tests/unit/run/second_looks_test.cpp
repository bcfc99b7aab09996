// A night on a device that the baseline does not know, of cases that devices slow alike.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "fixtures/gatekeeper_fixture.h"

namespace perfgate {
namespace {

using testing::_;
using testing::HasSubstr;
using testing::Not;
using testing::Return;
using testing_support::report;

constexpr int kCases = 9;

class SecondLooks : public testing_support::GatekeeperTest {
 protected:
  // Three devices, of which one is 2 % slower and one as much faster in all cases.
  SecondLooks() {
    std::ifstream file(std::filesystem::path(PERFGATE_SOURCE_DIR) / "baselines/policy.json");
    auto policy = nlohmann::json::parse(file);
    policy["classes"]["cpu/memory/long"]["device_effect"]["degrees"] = 12;
    std::ofstream(settings_.paths.baselines / "policy.json") << policy;
    settings_.refresh.wanted = true;
    for (const auto& [device, effect] :
         std::map<std::string, double>{{"device-0", -0.02}, {"device-1", 0}, {"device-2", 0.02}}) {
      device_.device_id = device;
      gate_all(std::vector<double>(kCases, effect));
    }
    settings_.refresh.wanted = false;
    device_.device_id = "device-3";
  }
  static std::string key(int i) { return "demo/case/D" + std::to_string(i) + "/eager"; }

  // Each case slower by so much, in logs.
  void gate_all(const std::vector<double>& slower) {
    testing::internal::CaptureStdout();
    auto keeper = made();
    keeper->require_writable();
    keeper->start(kCases);
    launches_ = std::vector<int>(kCases, 0);
    for (int i = 0; i < kCases; ++i) {
      auto measured = report((0.5 + 0.01 * i) / std::exp(slower.at(i)));
      measured.case_key = key(i);
      EXPECT_CALL(launcher_, launch(key(i), _, _))
          .WillRepeatedly([this, i, measured](const auto&, bool, const auto&) {
            ++launches_[i];
            return measured;
          });
      first_.push_back(keeper->gate(key(i)).verdict);
    }
    keeper->look_again();
    outcomes_ = keeper->run().outcomes;
    exit_code_ = keeper->finish();
    printed_ = testing::internal::GetCapturedStdout();
  }
  std::vector<int> launches_;
  std::vector<Verdict> first_;
  std::vector<Outcome> outcomes_;
};

TEST_F(SecondLooks, FindACaseThatIsSlowerThanItsSiblings) {
  std::vector<double> slower(kCases, 0.01);
  slower[4] += 0.14;
  first_.clear();
  gate_all(slower);
  EXPECT_NE(first_[4], Verdict::kRegressed);
  EXPECT_EQ(outcomes_[4].verdict, Verdict::kRegressed);
  EXPECT_EQ(outcomes_[4].reports.size(), 5U) << "a session decides";
  EXPECT_EQ(exit_code_, ExitCode::kFail);
  EXPECT_THAT(printed_, HasSubstr("1 REGRESSED"));
  for (int i = 0; i < kCases; ++i) {
    if (i != 4) {
      EXPECT_EQ(outcomes_[i].verdict, Verdict::kPass) << i;
      EXPECT_EQ(launches_[i], 1) << i;
    }
  }
}

TEST_F(SecondLooks, ChangeNothingOfADeviceThatDiffersAsOthersDo) {
  gate_all(std::vector<double>(kCases, 0.015));
  EXPECT_EQ(exit_code_, ExitCode::kOk);
  ASSERT_TRUE(outcomes_[0].judgements[0].effect.has_value());
  EXPECT_NEAR(outcomes_[0].judgements[0].effect->value, 0.015, 1e-3);
  EXPECT_LT(std::abs(outcomes_[0].judgements[0].change), 1e-3);
}

TEST_F(SecondLooks, AreNoneOfAKnownDevice) {
  device_.device_id = "device-1";
  gate_all(std::vector<double>(kCases, 0.01));
  EXPECT_FALSE(outcomes_[0].judgements[0].effect.has_value());
  EXPECT_EQ(launches_, std::vector<int>(kCases, 1));
}

}  // namespace
}  // namespace perfgate
