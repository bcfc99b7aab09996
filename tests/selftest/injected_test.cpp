// Real cases on this machine: recorded, then injected with their own work once more. One session
// of a CPU sees little less than that.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "gate_run.h"
#include "perfgate/stats/descriptive.h"

namespace perfgate::selftest {
namespace {

constexpr double kPercent = 100;
constexpr int kUnfit = 3;
constexpr int kAttempts = 3;

// Whether the gate says of itself that it could not have seen the injected work.
bool was_blind(GateFolder& folder, int code, const std::string& key) {
  if (code == kUnfit) {
    return true;
  }
  const Outcome& outcome = folder.outcome(key);
  const auto* judgement = outcome.deciding();
  return outcome.verdict != Verdict::kRegressed && judgement != nullptr &&
         100 * judgement->mde > kPercent;
}

// In the middle of the processes: a neighbour may disturb the sizing in one of them.
double injected_percent(const Outcome& outcome) {
  std::vector<double> out;
  for (const auto& report : outcome.reports) {
    out.push_back(
        report.phase(Phase::kWhole).injected_percent.value());  // throws where nothing was injected
  }
  return median(out);
}

void expect_regressed(GateFolder& folder, int code, const std::string& key) {
  EXPECT_EQ(code, 1) << folder.printed();
  const auto& outcome = folder.outcome(key);
  ASSERT_EQ(outcome.verdict, Verdict::kRegressed) << folder.printed();
  EXPECT_NEAR(injected_percent(outcome), kPercent, 30);
  EXPECT_NE(folder.printed().find("injected"), std::string::npos) << folder.printed();
}

// Recorded and judged anew only where somebody else was using the machine, as the gate sees it:
// what was recorded under a neighbour stays a wide baseline.
void expect_found(const std::string& key) {
  const std::string select = "--case=" + key;
  const std::string device = "--device=cpu";  // whose keys these are
  const std::string inject = "--inject_slowdown=" + std::to_string(kPercent);
  std::string printed;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    GateFolder folder(PERFGATE_GATE);
    int code = folder.run({"--refresh", select, device});
    if (code != kUnfit) {
      ASSERT_EQ(code, 0) << folder.printed();
      code = folder.run({select, inject, device});
      if (!was_blind(folder, code, key)) {
        expect_regressed(folder, code, key);
        return;
      }
    }
    printed = folder.printed();
  }
  GTEST_SKIP() << "this machine is too busy to judge anything on it\n" << printed;
}

TEST(InjectedSlowdown, OfAnOperatorIsARegression) { expect_found("ops/mm/fp32/N512/eager"); }

// The dense one: processes of CSR differ so much that its injected work could not be seen in four
// of four.
TEST(InjectedSlowdown, OfAProductOfTheSparseFamilyIsARegression) {
  expect_found("sparse/tensor/bert_small/fp32/384x96/dense");
}

TEST(InjectedSlowdown, OfAttentionIsARegression) {
  expect_found("attention/8x8x128x512/fp32/composite");
}

}  // namespace
}  // namespace perfgate::selftest
