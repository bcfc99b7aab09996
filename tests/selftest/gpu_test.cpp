// What a case does wrong to a GPU costs that case alone. Skipped where there is no GPU.

#include <gtest/gtest.h>

#include "one_run.h"

namespace perfgate::selftest {
namespace {

class Gpu : public OneRun {
 public:
  static void SetUpTestSuite() { run(PERFGATE_GPU_GATE, {"--device=cuda"}); }

 protected:
  void SetUp() override {
    if (exit_code_ == 2 && folder_->printed().find("no GPU can be used") != std::string::npos) {
      GTEST_SKIP() << folder_->printed();
    }
  }
};

TEST_F(Gpu, AnIllegalAccessIsAnErrorOfThatCase) {
  expect("gpu/illegal_access", Verdict::kError, "illegal memory access");
}

TEST_F(Gpu, TooLargeACaseIsAnErrorWithTheBytesThatItNeedsAndThatAreFree) {
  expect("gpu/too_large", Verdict::kError, "needs 1000000000000000 bytes");
  expect("gpu/allocates_too_much", Verdict::kError, "out of memory");
}

TEST_F(Gpu, ACaseThatHoldsMoreMemoryThanItDeclaresIsAnErrorWithBoth) {
  expect("gpu/holds_more", Verdict::kError, "were held at once, the case declares 1000000");
}

TEST_F(Gpu, OneElementThatIsOffByTwiceTheToleranceIsWrong) {
  for (const char* key : {"gpu/wrong/sparse", "gpu/wrong/attention"}) {
    expect(key, Verdict::kWrong, " elements differ from the reference");
    EXPECT_EQ(folder_->outcome(key).message.rfind("1 of ", 0), 0U);
  }
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

TEST_F(Gpu, WhatComputesIsMeasuredBehindLoadWhereThereIsAKernelForIt) {
  const auto environment = folder_->results().info.environment;
  const bool has_kernel =
      environment.at("compute_capability") == "90" && environment.at("multiprocessors") == "132";
  const auto loaded = [](const char* key) {
    return folder_->outcome(key).reports.at(0).protocol.count("load") > 0;
  };
  EXPECT_EQ(loaded("gpu/computes"), has_kernel);
  EXPECT_FALSE(loaded("gpu/well"));
}

TEST_F(Gpu, FailsTheBuild) { EXPECT_EQ(exit_code_, 1); }

}  // namespace
}  // namespace perfgate::selftest
