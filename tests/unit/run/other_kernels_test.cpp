// A case that is no slower, by other kernels than it was recorded with.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fixtures/case_run_fixture.h"
#include "perfgate/core/files.h"

namespace perfgate {
namespace {

using testing::_;
using testing::HasSubstr;
using testing::Not;
using testing::Return;
using testing_support::kKey;
using testing_support::report;
using testing_support::report_of_kernel;

using OtherKernels = testing_support::CaseRunTest;

TEST_F(OtherKernels, AreNoticedAndPass) {
  record(3, report_of_kernel("brg_matmul"));
  EXPECT_CALL(launcher_, launch(kKey, _, _)).WillOnce(Return(report_of_kernel("ref:any")));
  EXPECT_EQ(gate_once().verdict, Verdict::kPass);
  EXPECT_EQ(exit_code_, ExitCode::kOk);
  EXPECT_THAT(printed_, HasSubstr("other kernels than when recorded\n"));
  EXPECT_THAT(printed_, HasSubstr("ref:any"));
}

TEST_F(OtherKernels, FailWhereTheyAreForbidden) {
  record(3, report_of_kernel("brg_matmul"));
  settings_.strict_kernels = true;
  EXPECT_CALL(launcher_, launch(kKey, _, _)).WillOnce(Return(report_of_kernel("ref:any")));
  EXPECT_EQ(gate_once().verdict, Verdict::kOtherKernels);
  EXPECT_EQ(exit_code_, ExitCode::kFail);
  EXPECT_THAT(outcome_text_, HasSubstr("ref:any"));
  EXPECT_THAT(outcome_text_, HasSubstr("--strict_kernels --case="));
  EXPECT_THAT(outcome_text_, HasSubstr("--refresh --accept="));
}

TEST_F(OtherKernels, CannotBeRuledOutWhereNothingIsRecordedOrTraced) {
  record(3, 0.5);
  settings_.strict_kernels = true;
  EXPECT_CALL(launcher_, launch(kKey, _, _)).WillOnce(Return(report_of_kernel("ref:any")));
  EXPECT_EQ(gate_once().verdict, Verdict::kMachineInvalid);
  EXPECT_EQ(exit_code_, ExitCode::kRefused);
  EXPECT_THAT(outcome_text_, HasSubstr("the baseline has no kernels of it"));
  EXPECT_CALL(launcher_, launch(kKey, _, _)).WillOnce(Return(report(0.5)));
  EXPECT_EQ(gate_once().verdict, Verdict::kMachineInvalid);
  EXPECT_THAT(outcome_text_, HasSubstr("its kernels were not traced"));
}

TEST_F(OtherKernels, ShowWhatDiffersInTheirSources) {
  const auto compiled = [](const std::string& version) {
    auto out = report_of_kernel("triton_red_mm");
    std::get<std::vector<KernelRecord>>(*out.phases[Phase::kWhole].trace)[0].source = version;
    out.kernel_sources[version] = "@triton.jit\n# " + version + "\n";
    out.environment["triton"] = "3.6.0";
    return out;
  };
  record(3, compiled("aa"));
  EXPECT_CALL(launcher_, launch(kKey, _, _)).WillOnce(Return(compiled("bb")));
  const auto outcome = gate_once();
  EXPECT_EQ(outcome.verdict, Verdict::kPass);
  EXPECT_THAT(read_file(outcome.source_diff), HasSubstr("-# aa\n+# bb\n"));
  EXPECT_THAT(printed_, HasSubstr("sources " + outcome.source_diff));
}

// What they made faster must not get lost again.
TEST_F(OtherKernels, AreRememberedForTheirSpeed) {
  record(3, report_of_kernel("ref:any"));
  settings_.strict_kernels = true;
  auto faster = report_of_kernel("brg_matmul");
  faster.metrics[kUtilisation].value = 0.8;
  EXPECT_CALL(launcher_, launch(kKey, _, _)).WillRepeatedly(Return(faster));
  EXPECT_EQ(gate_once().verdict, Verdict::kOtherKernels);
  testing::Mock::VerifyAndClearExpectations(&launcher_);
  allow_machine();
  EXPECT_CALL(launcher_, launch(kKey, _, _)).WillRepeatedly(Return(report_of_kernel("ref:any")));
  EXPECT_EQ(gate_once().verdict, Verdict::kRegressed);
}

TEST_F(OtherKernels, StayTheRecordedOnesUntilOthersAreAccepted) {
  record(3, report_of_kernel("brg_matmul"));
  record(1, report_of_kernel("ref:any"));
  settings_.strict_kernels = true;
  EXPECT_CALL(launcher_, launch(kKey, _, _)).WillOnce(Return(report_of_kernel("ref:any")));
  EXPECT_EQ(gate_once().verdict, Verdict::kOtherKernels);
  settings_.strict_kernels = false;
  settings_.refresh.accept = {{"*", "why"}};
  record(1, report_of_kernel("ref:any"));
  settings_.refresh.accept.clear();
  settings_.strict_kernels = true;
  EXPECT_CALL(launcher_, launch(kKey, _, _)).WillOnce(Return(report_of_kernel("ref:any")));
  EXPECT_EQ(gate_once().verdict, Verdict::kPass);
}

TEST_F(OtherKernels, AreNotTheSameOnes) {
  record(3, report_of_kernel("brg_matmul"));
  settings_.strict_kernels = true;
  EXPECT_CALL(launcher_, launch(kKey, _, _)).WillOnce(Return(report_of_kernel("brg_matmul")));
  EXPECT_EQ(gate_once().verdict, Verdict::kPass);
  EXPECT_THAT(printed_, Not(HasSubstr("other kernels")));
}

}  // namespace
}  // namespace perfgate
