// One real case on this machine: recorded, then planted with half again its own work.

#include <gtest/gtest.h>

#include "gate_run.h"

namespace perfgate::selftest {
namespace {

constexpr const char* kCase = "ops/mm/fp32/N512/eager";
constexpr int kUnfit = 3;

// Another attempt only where the gate called the machine unfit: somebody else was using it.
int run_when_fit(GateFolder& folder, const std::vector<std::string>& flags) {
  int code = kUnfit;
  for (int attempt = 0; attempt < 3 && code == kUnfit; ++attempt) {
    code = folder.run(flags);
  }
  return code;
}

TEST(PlantedSlowdown, OfHalfTheWorkIsARegressionOfARealCase) {
  GateFolder folder(PERFGATE_GATE);
  const std::string select = std::string("--case=") + kCase;
  ASSERT_EQ(run_when_fit(folder, {"--refresh", select}), 0) << folder.printed();
  const int code = run_when_fit(folder, {select, "--inject_slowdown=50"});
  if (code == kUnfit) {
    GTEST_SKIP() << "this machine is too busy to judge anything on it\n" << folder.printed();
  }
  EXPECT_EQ(code, 1) << folder.printed();
  const auto& outcome = folder.outcome(kCase);
  ASSERT_EQ(outcome.verdict, Verdict::kRegressed) << folder.printed();
  ASSERT_TRUE(outcome.reports[0].planted_percent.has_value());
  EXPECT_NEAR(*outcome.reports[0].planted_percent, 50, 15);
  EXPECT_NE(folder.printed().find("planted"), std::string::npos) << folder.printed();
}

}  // namespace
}  // namespace perfgate::selftest
