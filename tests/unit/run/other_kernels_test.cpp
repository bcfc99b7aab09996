// A case that is no slower, by other kernels than it was recorded with.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fixtures/gatekeeper_fixture.h"

namespace perfgate {
namespace {

using testing::_;
using testing::HasSubstr;
using testing::Not;
using testing::Return;
using testing_support::kKey;
using testing_support::report;

using OtherKernels = testing_support::GatekeeperTest;

WorkerReport report_of_kernel(const std::string& name) {
  auto out = report(0.5);
  out.phases[Phase::kWhole].trace = std::vector<KernelRecord>{{name, 1, 10}};
  return out;
}

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
  EXPECT_THAT(outcome_text_, HasSubstr("--refresh --reason="));
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
