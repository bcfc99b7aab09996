#include <gtest/gtest.h>

#include "fixtures/kernels.h"
#include "fixtures/sample_baseline.h"
#include "perfgate/baseline/record.h"

namespace perfgate {
namespace {

using testing_support::kernel;
using testing_support::kKey;
using testing_support::measured;
using testing_support::record_session;
using testing_support::session_on;

KernelRecord described(KernelRecord kernel) {
  kernel.configuration = "XBLOCK 2, 8 warps";
  kernel.source = "0123";
  kernel.bytes_a_launch = 1e6;
  return kernel;
}

// What is recorded behind a second session that ran `later`.
std::vector<KernelRecord> recorded_behind(const KernelRecord& first, const KernelRecord& later) {
  Baseline baseline;
  CaseSession session = measured(kKey, {80, 81, 82});
  session.phases[Phase::kWhole].kernels = {first};
  record_session(baseline, session_on("GPU-aa"), {session});
  session.phases[Phase::kWhole].kernels = {later};
  record_session(baseline, session_on("GPU-aa", "2026-11-21"), {session});
  return baseline.cases.at(kKey).phase(Phase::kWhole).kernels;
}

TEST(RecordedKernels, LearnWhatTheirCompilerKnowsWhereTheyAreLaunchedAsRecorded) {
  const auto kernels = recorded_behind(kernel("mm", 100), described(kernel("mm", 120)));
  ASSERT_EQ(kernels.size(), 1U);
  EXPECT_EQ(kernels[0].configuration, "XBLOCK 2, 8 warps");
  EXPECT_EQ(kernels[0].source, "0123");
  EXPECT_EQ(kernels[0].bytes_a_launch, 1e6);
  EXPECT_EQ(kernels[0].busy_us, 100);  // still what ran when the revision began
}

TEST(RecordedKernels, LearnNothingFromOneThatIsLaunchedOtherwise) {
  EXPECT_EQ(recorded_behind(kernel("mm", 100, 8), described(kernel("mm", 100, 16)))[0].source, "");
}

TEST(RecordedKernels, KeepWhatTheyKnow) {
  auto another = described(kernel("mm", 100));
  another.source = "4567";
  EXPECT_EQ(recorded_behind(described(kernel("mm", 100)), another)[0].source, "0123");
}

TEST(RecordedKernels, KeepTheSourcesThatTheyName) {
  Baseline baseline;
  CaseSession session = measured(kKey, {80, 81, 82});
  session.phases[Phase::kWhole].kernels = {described(kernel("mm", 100))};
  session.kernel_sources = {{"0123", "@triton.jit\n"}, {"4567", "of no kernel\n"}};
  record_session(baseline, session_on("GPU-aa"), {session});
  const std::map<std::string, std::string> expected = {{"0123", "@triton.jit\n"}};
  EXPECT_EQ(baseline.kernel_sources, expected);
}

}  // namespace
}  // namespace perfgate
