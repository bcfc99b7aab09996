// One real case on this machine: recorded, then planted with half again its own work.

#include <gtest/gtest.h>

#include "gate_run.h"

namespace perfgate::selftest {
namespace {

constexpr const char* kCase = "ops/mm/fp32/N512/eager";

TEST(PlantedSlowdown, OfHalfTheWorkIsARegressionOfARealCase) {
  GateFolder folder(PERFGATE_GATE);
  const std::string select = std::string("--case=") + kCase;
  ASSERT_EQ(folder.run({"--refresh", select}), 0) << folder.printed();
  EXPECT_EQ(folder.run({select, "--inject_slowdown=50"}), 1) << folder.printed();
  const auto& outcome = folder.outcome(kCase);
  EXPECT_EQ(outcome.verdict, Verdict::kRegressed);
  ASSERT_TRUE(outcome.reports[0].planted_percent.has_value());
  EXPECT_NEAR(*outcome.reports[0].planted_percent, 50, 15);
  EXPECT_NE(folder.printed().find("planted"), std::string::npos) << folder.printed();
}

}  // namespace
}  // namespace perfgate::selftest
