// What a case does wrong costs that case alone, and the verdict says what it was.

#include <gtest/gtest.h>

#include "gate_run.h"

namespace perfgate::selftest {
namespace {

class Misbehaving : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new GateFolder(PERFGATE_REPLAY_GATE);
    exit_code_ = folder_->run({"--family=misbehaving", "--worker_timeout=3"});
  }
  static void TearDownTestSuite() { delete folder_; }
  static void expect(const std::string& deed, Verdict verdict, const std::string& words) {
    const Outcome outcome = folder_->outcome("misbehaving/" + deed);
    EXPECT_EQ(outcome.verdict, verdict) << outcome.message;
    EXPECT_NE(outcome.message.find(words), std::string::npos) << outcome.message;
  }
  static inline GateFolder* folder_ = nullptr;
  static inline int exit_code_ = 0;
};

TEST_F(Misbehaving, ACrashIsAnErrorWithItsSignal) {
  expect("crash", Verdict::kError, "signal 11 (Segmentation fault)");
}

TEST_F(Misbehaving, AHangIsAnErrorWithItsTimeOut) {
  expect("hang", Verdict::kError, "no result within 3 s: killed");
}

TEST_F(Misbehaving, AnExitIsAnErrorWithItsCode) { expect("exit", Verdict::kError, "exit code 9"); }

TEST_F(Misbehaving, AnExceptionIsAnErrorInItsOwnWords) {
  expect("throw", Verdict::kError, "thrown on purpose");
}

TEST_F(Misbehaving, AnImpossibleAllocationIsAnErrorWithItsBytes) {
  expect("allocate", Verdict::kError, "1125899906842624");
}

TEST_F(Misbehaving, ARefusalIsUnsupportedInItsOwnWords) {
  expect("refuse", Verdict::kUnsupported, "no such unit");
  expect("refused_by_libtorch", Verdict::kUnsupported,
         "expected scalar type BFloat16 but found Float (LibTorch)");
}

TEST_F(Misbehaving, AWrongAnswerIsNamedWithItsIndexAndErrors) {
  expect("wrong", Verdict::kWrong, "1 of 6 elements");
  EXPECT_NE(folder_->printed().find("[1, 2] is 0.5, expected 0"), std::string::npos)
      << folder_->printed();
}

TEST_F(Misbehaving, NotANumberIsWrong) { expect("nan", Verdict::kWrong, "1 of 6 elements"); }

TEST_F(Misbehaving, TheOthersStillRun) {
  EXPECT_EQ(folder_->outcome("misbehaving/well").verdict, Verdict::kNoBaseline);
  EXPECT_EQ(folder_->results().outcomes.size(), 10U);
}

TEST_F(Misbehaving, FailsTheBuild) { EXPECT_EQ(exit_code_, 1); }

}  // namespace
}  // namespace perfgate::selftest
