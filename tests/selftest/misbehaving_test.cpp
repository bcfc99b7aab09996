// What a case does wrong costs that case alone, and the verdict says what it was.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "one_run.h"

namespace perfgate::selftest {
namespace {

class Misbehaving : public OneRun {
 public:
  static void SetUpTestSuite() {
    run(PERFGATE_REPLAY_GATE, {"--family=misbehaving", "--worker_timeout=6"});
  }
};

TEST_F(Misbehaving, ACrashIsAnErrorWithItsSignal) {
  expect("misbehaving/crash", Verdict::kError, "signal 11 (Segmentation fault)");
}

TEST_F(Misbehaving, AHangIsAnErrorWithItsTimeOut) {
  expect("misbehaving/hang", Verdict::kError, "no result within 6 s: killed");
}

TEST_F(Misbehaving, AFloodIsAnErrorAndTakesNoMemory) {
  expect("misbehaving/flood", Verdict::kError, "it wrote more than any report: killed");
}

TEST_F(Misbehaving, LeavesNothingBehindThatWouldHoldTheDevice) {
  expect("misbehaving/stray", Verdict::kNoBaseline, "");
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    std::ifstream stream(entry.path() / "cmdline", std::ios::binary);
    const std::string words{std::istreambuf_iterator<char>(stream), {}};
    EXPECT_EQ(words.find(std::string("sleep\0", 6) + "4711"), std::string::npos);
  }
}

TEST_F(Misbehaving, AnExitIsAnErrorWithItsCode) {
  expect("misbehaving/exit", Verdict::kError, "exit code 9");
}

TEST_F(Misbehaving, AnExceptionIsAnErrorInItsOwnWords) {
  expect("misbehaving/throw", Verdict::kError, "thrown on purpose");
}

TEST_F(Misbehaving, AnImpossibleAllocationIsAnErrorWithItsBytes) {
  expect("misbehaving/allocate", Verdict::kError, "1125899906842624");
}

TEST_F(Misbehaving, WhatFailsAfterItRanOnceHasNotRefused) {
  expect("misbehaving/refuse_late", Verdict::kError, "no more (LibTorch)");
}

TEST_F(Misbehaving, ARefusalIsUnsupportedInItsOwnWords) {
  expect("misbehaving/refuse", Verdict::kUnsupported, "no such unit");
  expect("misbehaving/refused_by_libtorch", Verdict::kUnsupported,
         "expected scalar type BFloat16 but found Float (LibTorch)");
}

TEST_F(Misbehaving, AWrongAnswerIsNamedWithItsIndexAndErrors) {
  expect("misbehaving/wrong", Verdict::kWrong, "1 of 6 elements");
  EXPECT_NE(folder_->printed().find("[1, 2] is 0.5, expected 0"), std::string::npos)
      << folder_->printed();
}

TEST_F(Misbehaving, NotANumberIsWrong) {
  expect("misbehaving/nan", Verdict::kWrong, "1 of 6 elements");
}

TEST_F(Misbehaving, TheOthersStillRun) {
  EXPECT_EQ(folder_->outcome("misbehaving/well").verdict, Verdict::kNoBaseline);
  EXPECT_EQ(folder_->results().outcomes.size(), 13U);
}

TEST_F(Misbehaving, FailsTheBuild) { EXPECT_EQ(exit_code_, 1); }

}  // namespace
}  // namespace perfgate::selftest
