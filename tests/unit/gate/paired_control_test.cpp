// A body that slows its control: what a ratio hides, the times alone say.

#include "perfgate/gate/paired_control.h"

#include <gtest/gtest.h>

#include <cmath>

namespace perfgate {
namespace {

// Sixteen pairs that differ by so much, steady to 0.1 %.
std::vector<double> pairs_of(double factor) {
  std::vector<double> out;
  for (int i = 0; i < 16; ++i) {
    out.push_back(std::log(factor) + (i % 2 == 0 ? 0.001 : -0.001));
  }
  return out;
}

std::optional<ControlFinding> found(double control, double time, double limit = 0.1) {
  return check_paired_control(Phase::kWhole, {pairs_of(control), {pairs_of(time)}}, limit,
                              {1e-6, 100}, {0.01, 0.99, 0.02}, paired_looks(4, 16), 2);
}

TEST(PairedControl, SaysNothingWhereBothControlsAreAlike) {
  EXPECT_FALSE(found(1, 2));
  EXPECT_FALSE(found(1.09, 2));
  EXPECT_FALSE(check_paired_control(Phase::kWhole, {}, 0.1, {1e-6, 100}, {0.01, 0.99, 0.02},
                                    paired_looks(4, 16), 2));
}

// 345 instead of 296 us beside a control that two threads of its own slow twice: 42 % faster.
TEST(PairedControl, CallsABodySlowerThatSlowsItsControlMore) {
  const auto finding = found(2, 345.0 / 296);
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->verdict, Verdict::kRegressed);
  EXPECT_EQ(finding->message,
            "its control is slower by 100 % beside the newer build's body, which slows both: its "
            "time alone is slower");
  EXPECT_NEAR(finding->time.change, 345.0 / 296 - 1, 1e-3);
}

TEST(PairedControl, NeverPassesABodyThatSlowsItsControl) {
  EXPECT_EQ(found(2, 1)->verdict, Verdict::kMachineInvalid);
  EXPECT_EQ(found(2, 0.8)->verdict, Verdict::kMachineInvalid);
}

TEST(PairedControl, CallsABodyFasterThatNoLongerSlowsItsControl) {
  EXPECT_EQ(found(0.5, 0.8)->verdict, Verdict::kImproved);
  EXPECT_EQ(found(0.5, 1)->verdict, Verdict::kMachineInvalid);
  EXPECT_EQ(found(0.5, 1.2)->verdict, Verdict::kRegressed);
}

TEST(PairedControl, IsNotMovedByOneDisturbedPair) {
  auto controls = pairs_of(1);
  controls[3] += std::log(4);  // a mean of 9 %
  EXPECT_FALSE(check_paired_control(Phase::kWhole, {controls, {pairs_of(1)}}, 0.05, {1e-6, 100},
                                    {0.01, 0.99, 0.02}, paired_looks(4, 16), 2));
}

}  // namespace
}  // namespace perfgate
