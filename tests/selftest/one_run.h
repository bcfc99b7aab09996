#pragma once
// A suite whose tests look at one run of a gate, made when the suite begins.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "gate_run.h"

namespace perfgate::selftest {

class OneRun : public testing::Test {
 public:
  static void TearDownTestSuite() { folder_.reset(); }

 protected:
  static void run(const std::string& gate, const std::vector<std::string>& flags) {
    folder_ = std::make_unique<GateFolder>(gate);
    exit_code_ = folder_->run(flags);
  }
  static void expect(const std::string& case_key, Verdict verdict, const std::string& words) {
    const Outcome outcome = folder_->outcome(case_key);
    EXPECT_EQ(outcome.verdict, verdict) << outcome.message;
    EXPECT_NE(outcome.message.find(words), std::string::npos) << outcome.message;
  }
  static inline std::unique_ptr<GateFolder> folder_;
  static inline int exit_code_ = 0;
};

}  // namespace perfgate::selftest
