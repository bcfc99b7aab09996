#include "perfgate/report/kernel_changes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fixtures/kernels.h"
#include "fixtures/outcomes.h"

namespace perfgate {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing_support::kernel;

TEST(KernelChanges, NameTheKernelThatGotSlowerAndHowItIsLaunchedNow) {
  EXPECT_THAT(kernel_changes({kernel("triton_red_fused_mv", 78.2)},
                             {kernel("triton_red_fused_mv", 80.3, 8192)}, 4),
              ElementsAre(AllOf(HasSubstr("triton_red_fused_mv"), HasSubstr("78.2 us -> 80.3 us"),
                                HasSubstr("grid 16384 -> 8192"))));
}

TEST(KernelChanges, TellNewOnesFromThoseThatAreGoneLargestFirst) {
  EXPECT_THAT(kernel_changes({kernel("old", 20), kernel("same", 50)},
                             {kernel("new", 30), kernel("same", 50)}, 4),
              ElementsAre(HasSubstr("new, 30.0 us"), HasSubstr("gone, was 20.0 us")));
}

TEST(KernelChanges, AreSilentOnWhatIsAsItWas) {
  EXPECT_THAT(kernel_changes({kernel("a", 100)}, {kernel("a", 100.9)}, 4), IsEmpty());
  EXPECT_THAT(kernel_changes({}, {kernel("a", 100)}, 4), IsEmpty());
  EXPECT_THAT(kernel_changes({kernel("a", 100)}, {}, 4), IsEmpty());
}

TEST(KernelChanges, PairInstancesOfOneTemplateByHowTheyAreLaunched) {
  EXPECT_THAT(kernel_changes({kernel("a", 17.8, 32), kernel("a", 17.7, 64)},
                             {kernel("a", 17.8, 64), kernel("a", 17.6, 48)}, 4),
              ElementsAre(HasSubstr("grid 32 -> 48")));
}

TEST(OtherKernelsText, ListsABackendThatSwitchedInSilence) {
  auto recorded = testing_support::baseline();
  recorded.cases.begin()->second.phases[Phase::kWhole].kernels = {kernel("flash_fwd", 80)};
  auto outcome = testing_support::judged(Verdict::kPass, recorded.cases.begin()->first);
  outcome.reports[0].phases[Phase::kWhole].trace = std::vector{kernel("cudnn_fwd", 79)};
  const std::string text = other_kernels_text({outcome}, &recorded);
  EXPECT_THAT(text, HasSubstr(outcome.case_key + "   PASS\n"));
  EXPECT_THAT(text, AllOf(HasSubstr("cudnn_fwd"), HasSubstr("flash_fwd")));
  for (const auto explained : {Verdict::kRegressed, Verdict::kOtherKernels}) {  // elsewhere
    outcome.verdict = explained;
    EXPECT_EQ(other_kernels_text({outcome}, &recorded), "");
  }
  EXPECT_EQ(other_kernels_text({outcome}, nullptr), "");
}

TEST(KernelChanges, NameImplementationsOfACpuWhichHaveNoGrid) {
  auto fast = kernel("oneDNN matmul f32", 20, 0);
  fast.implementation = "brg_matmul:avx512_core";
  auto slow = kernel("oneDNN matmul f32", 30, 0);
  slow.implementation = "ref:any";
  EXPECT_THAT(kernel_changes({fast}, {slow}, 4),
              ElementsAre(HasSubstr("20.0 us -> 30.0 us   implementation brg_matmul:avx512_core -> "
                                    "ref:any")));
  EXPECT_THAT(
      kernel_changes({kernel("gone", 1)}, {slow}, 2),
      ElementsAre(testing::EndsWith("new, 30.0 us   implementation ref:any"), HasSubstr("gone")));
  EXPECT_THAT(kernel_changes({kernel("gone", 1)}, {kernel("MKL SGEMM", 30, 0)}, 2),
              ElementsAre(testing::EndsWith("new, 30.0 us"), HasSubstr("gone")));
}

TEST(KernelChanges, StopAtTheLimitAndSayHowManyAreLeft) {
  EXPECT_THAT(kernel_changes({kernel("a", 1), kernel("b", 2), kernel("c", 3)},
                             {kernel("a", 9), kernel("b", 9), kernel("c", 9)}, 2),
              ElementsAre(HasSubstr("a"), HasSubstr("b"), "and 1 more"));
}

// What took longer is no finding of its own, and must not stand before what is.
TEST(OtherKernelsText, LeavesOutWhatIsLaunchedAsItWas) {
  auto recorded = testing_support::baseline();
  recorded.cases.begin()->second.phases[Phase::kWhole].kernels = {kernel("same", 80),
                                                                  kernel("small", 1)};
  auto outcome = testing_support::judged(Verdict::kBlind, recorded.cases.begin()->first);
  outcome.reports[0].phases[Phase::kWhole].trace =
      std::vector{kernel("same", 90), kernel("small", 1, 8)};
  const std::string text = other_kernels_text({outcome}, &recorded);
  EXPECT_THAT(text, HasSubstr("grid 16384 -> 8"));
  EXPECT_THAT(text, testing::Not(HasSubstr("same")));
}

}  // namespace
}  // namespace perfgate
