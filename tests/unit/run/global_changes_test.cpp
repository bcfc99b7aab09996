// A night in which every case is a little slower.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "fixtures/case_run_fixture.h"

namespace perfgate {
namespace {

using testing::_;
using testing::HasSubstr;
using testing::Not;
using testing::Return;
using testing_support::machine;
using testing_support::report;

constexpr int kCases = 6;

class GlobalChanges : public testing_support::CaseRunTest {
 protected:
  // The device's three sessions, which lie 0.1 % apart.
  GlobalChanges() {
    selected_.clear();
    settings_.refresh.wanted = true;
    for (const double utilisation : {0.5, 0.5005, 0.4995}) {
      gate_all(utilisation);
    }
    settings_.refresh.wanted = false;
  }
  void gate_all(
      double utilisation, const std::function<void()>& before_the_end = [] {}) {
    auto case_run = started();
    for (int i = 0; i < kCases; ++i) {
      auto measured = report(utilisation);
      measured.case_key = "demo/case/D" + std::to_string(i) + "/eager";
      EXPECT_CALL(launcher_, launch(measured.case_key, _, _)).WillRepeatedly(Return(measured));
      outcomes_.push_back(case_run->gate(measured.case_key));
    }
    before_the_end();
    exit_code_ = case_run->finish();
    printed_ = testing::internal::GetCapturedStdout();
  }
  std::vector<Outcome> outcomes_;
};

TEST_F(GlobalChanges, FailThoughEachCasePasses) {
  outcomes_.clear();
  gate_all(0.5 / 1.03);
  for (const auto& outcome : outcomes_) {
    EXPECT_EQ(outcome.verdict, Verdict::kPass);
  }
  EXPECT_EQ(exit_code_, ExitCode::kFail);
  EXPECT_THAT(printed_, HasSubstr("GLOBAL    demo, cpu/memory/long, utilisation: +3.0 % slower in "
                                  "the median of 6 cases"));
  EXPECT_THAT(printed_, HasSubstr("beside it: nothing that perfgate records"));
}

TEST_F(GlobalChanges, AreNoneWhereCasesReadAsRecorded) {
  gate_all(0.5002);
  EXPECT_EQ(exit_code_, ExitCode::kOk) << printed_;
  EXPECT_THAT(printed_, Not(HasSubstr("GLOBAL")));
}

TEST_F(GlobalChanges, AreNotBelievedWhereSomebodyElseUsesTheDevice) {
  gate_all(0.5 / 1.03, [this] { device_.health_now.why_unfit = "shared"; });
  EXPECT_EQ(exit_code_, ExitCode::kRefused);
  EXPECT_THAT(printed_, HasSubstr("beside it: the device was not fit: shared"));
}

TEST_F(GlobalChanges, SayWhatElseWasDifferent) {
  auto slower = machine();
  slower.environment["libtorch"] = "2.14.0";
  slower.ceilings[{"triad", Unit::kGbPerS}] = 9.7;
  EXPECT_CALL(launcher_, launch(kMachineKey, _, _)).WillRepeatedly(Return(slower));
  gate_all(0.5 / 1.03);
  EXPECT_THAT(printed_, HasSubstr("beside it: LibTorch 2.13.0 -> 2.14.0; triad 10.0 GB/s -> 9.70 "
                                  "GB/s (-3.0 %)"));
}

}  // namespace
}  // namespace perfgate
