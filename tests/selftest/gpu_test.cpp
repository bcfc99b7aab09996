// What a case does wrong to a GPU costs that case alone. Skipped where there is no GPU.

#include <gtest/gtest.h>

#include "gate_run.h"

namespace perfgate::selftest {
namespace {

class Gpu : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new GateFolder(PERFGATE_GPU_GATE);
    exit_code_ = folder_->run({"--device=cuda"});
  }
  static void TearDownTestSuite() { delete folder_; }
  void SetUp() override {
    if (exit_code_ == 2) {
      GTEST_SKIP() << folder_->printed();
    }
  }
  static void expect(const std::string& deed, Verdict verdict, const std::string& words) {
    const Outcome outcome = folder_->outcome("gpu/" + deed);
    EXPECT_EQ(outcome.verdict, verdict) << outcome.message;
    EXPECT_NE(outcome.message.find(words), std::string::npos) << outcome.message;
  }
  static inline GateFolder* folder_ = nullptr;
  static inline int exit_code_ = 0;
};

TEST_F(Gpu, AnIllegalAccessIsAnErrorOfThatCase) {
  expect("illegal_access", Verdict::kError, "illegal memory access");
}

TEST_F(Gpu, TooLargeACaseIsAnErrorWithTheBytesThatItNeedsAndThatAreFree) {
  expect("too_large", Verdict::kError, "needs 1000000000000000 bytes");
  expect("allocates_too_much", Verdict::kError, "out of memory");
}

TEST_F(Gpu, ACaseThatSynchronisesIsMeasuredWithoutTheHoldAndSaysSo) {
  const Outcome outcome = folder_->outcome("gpu/synchronises");
  ASSERT_FALSE(outcome.reports.empty());
  EXPECT_EQ(outcome.reports[0].status, WorkerStatus::kMeasured) << outcome.message;
  EXPECT_EQ(outcome.reports[0].protocol.at("held"), ProtocolSetting(false));
}

TEST_F(Gpu, TheOthersStillRunHeldAndTraced) {
  const Outcome outcome = folder_->outcome("gpu/well");
  EXPECT_EQ(outcome.verdict, Verdict::kNoBaseline) << outcome.message;
  ASSERT_FALSE(outcome.reports.empty());
  EXPECT_EQ(outcome.reports[0].protocol.at("held"), ProtocolSetting(true));
  EXPECT_EQ(outcome.reports[0].kernels.size(), 1U);  // zeros: a fill
}

TEST_F(Gpu, FailsTheBuild) { EXPECT_EQ(exit_code_, 1); }

}  // namespace
}  // namespace perfgate::selftest
