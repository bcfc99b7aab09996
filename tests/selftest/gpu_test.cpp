// What a case does wrong to a GPU costs that case alone. Skipped where there is no GPU.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "one_run.h"

namespace perfgate::selftest {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

bool has_no_gpu(const GateFolder& folder) {
  return folder.printed().find("no GPU can be used") != std::string::npos;
}

class Gpu : public OneRun {
 public:
  static void SetUpTestSuite() { run(PERFGATE_GPU_GATE, {"--device=cuda", "--family=gpu"}); }

 protected:
  void SetUp() override {
    if (exit_code_ == 2 && has_no_gpu(*folder_)) {
      GTEST_SKIP() << folder_->printed();
    }
  }
};

TEST_F(Gpu, AnIllegalAccessIsAnErrorOfThatCase) {
  expect("gpu/illegal_access", Verdict::kError, "illegal memory access");
}

TEST_F(Gpu, TooLargeACaseIsRefusedWithTheBytesThatItNeedsAndThatAreFree) {
  expect("gpu/too_large", Verdict::kUnsupported, "needs 1000000000000000 bytes");
  expect("gpu/allocates_too_much", Verdict::kError, "out of memory");
}

TEST_F(Gpu, ACaseThatHoldsMoreMemoryThanItDeclaresIsAnErrorWithBoth) {
  expect("gpu/holds_more", Verdict::kError, "were allocated at once, the case declares 1000000");
}

TEST_F(Gpu, OneElementThatIsOffByTwiceTheToleranceIsWrong) {
  for (const char* key :
       {"sparse/tensor/bert/fp16/1024x1024/cusparselt",
        "sparse/linear/bert/fp16/1024x1024/cusparselt",
        "sparse/linear/bert/int8/1024x1024/cusparselt",
        "sparse/linear/bert/fp32/1024x1024/cusparselt", "attention/128x8x512x512/fp16/flash",
        "attention/256x32x256x512/fp16/nested/composite"}) {
    const std::string wrong = std::string("gpu/wrong/") + key;
    expect(wrong, Verdict::kWrong, " elements differ from the reference");
    EXPECT_EQ(folder_->outcome(wrong).message.rfind("1 of ", 0), 0U) << wrong;
  }
}

TEST_F(Gpu, ACaseThatSynchronisesOrQueuesTooMuchIsMeasuredWithoutTheHoldAndSaysSo) {
  for (const char* key : {"gpu/synchronises", "gpu/queues_too_much"}) {
    const Outcome outcome = folder_->outcome(key);
    ASSERT_FALSE(outcome.reports.empty());
    EXPECT_EQ(outcome.reports[0].status, WorkerStatus::kMeasured) << outcome.message;
    EXPECT_EQ(outcome.reports[0].phase(Phase::kWhole).protocol.at(kQueuedWhole),
              ProtocolSetting(false))
        << key;
  }
}

TEST_F(Gpu, TheOthersStillRunHeldAndTraced) {
  const Outcome outcome = folder_->outcome("gpu/well");
  EXPECT_EQ(outcome.verdict, Verdict::kNoBaseline) << outcome.message;
  ASSERT_FALSE(outcome.reports.empty());
  EXPECT_EQ(outcome.reports[0].phase(Phase::kWhole).protocol.at(kQueuedWhole),
            ProtocolSetting(true));
  EXPECT_EQ(kernels_of(outcome.reports[0].phase(Phase::kWhole)).size(), 1U);  // zeros: a fill
}

TEST_F(Gpu, ABodyMayReplayAGraphThatItCapturedOnTheStreamOfItsWorker) {
  const Outcome outcome = folder_->outcome("gpu/replays_a_graph");
  ASSERT_FALSE(outcome.reports.empty());
  EXPECT_EQ(outcome.reports[0].status, WorkerStatus::kMeasured) << outcome.message;
}

TEST_F(Gpu, ALanguageModelsGraphIsRightWhereItGivesWhatEagerStepsGiveBitForBit) {
  for (const char* key : {"gpu/generates_by_a_graph", "gpu/generates_by_a_graph_as_eagerly"}) {
    const Outcome outcome = folder_->outcome(key);
    ASSERT_FALSE(outcome.reports.empty());
    EXPECT_EQ(outcome.reports[0].status, WorkerStatus::kMeasured) << outcome.message;
  }
  expect("gpu/generates_by_a_wrong_graph", Verdict::kWrong, "differ from the reference");
}

TEST_F(Gpu, WhatComputesIsMeasuredAfterPreconditioningWhereThereIsAKernelForIt) {
  const auto environment = folder_->results().info.environment;
  const bool has_kernel =
      environment.at("compute_capability") == "90" && environment.at("multiprocessors") == "132";
  const auto preconditioned = [](const char* key) {
    return folder_->outcome(key).reports.at(0).phase(Phase::kWhole).protocol.count("precondition") >
           0;
  };
  EXPECT_EQ(preconditioned("gpu/computes"), has_kernel);
  EXPECT_FALSE(preconditioned("gpu/well"));
}

TEST_F(Gpu, FailsTheBuild) { EXPECT_EQ(exit_code_, 1); }

class GpuKernels : public testing::Test {
 protected:
  // Recorded, judged as it is, and judged with another one in its place.
  void switch_and_expect(const std::string& key, const std::vector<std::string>& changes) {
    GateFolder folder(PERFGATE_GPU_GATE);
    const std::vector<std::string> flags = {"--device=cuda", "--case=" + key};
    std::vector<std::string> refresh = flags;
    refresh.emplace_back("--refresh");
    const int code = folder.run(refresh);
    if ((code == 2 && has_no_gpu(folder)) || folder.outcome(key).verdict == Verdict::kUnsupported) {
      GTEST_SKIP() << folder.printed();
    }
    EXPECT_EQ(folder.run(flags), 0) << folder.printed();
    EXPECT_THAT(folder.printed(), Not(HasSubstr("gone"))) << "nothing was switched";
    EXPECT_EQ(folder.run(flags, {{"PERFGATE_SELFTEST_SWITCH", "1"}}), 1);
    EXPECT_EQ(folder.outcome(key).verdict, Verdict::kRegressed) << folder.printed();
    for (const auto& change : changes) {
      EXPECT_THAT(folder.printed(), ContainsRegex(change));
    }
  }
};

TEST_F(GpuKernels, OfAttentionThatALibrarySilentlyChangesAreBlamed) {
  switch_and_expect("gpu/switched/attention", {"flash_fwd[^\n]*gone", "fmha_cutlassF[^\n]*new"});
}

TEST_F(GpuKernels, OfSparseProductsThatALibrarySilentlyChangesAreBlamed) {
  switch_and_expect("gpu/switched/sparse", {"sparse_gemm[^\n]*gone", "nvjet[^\n]*new"});
}

}  // namespace
}  // namespace perfgate::selftest
