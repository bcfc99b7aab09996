// What goes wrong in one phase of a case is found there, and named by its phase.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "gate_run.h"

namespace perfgate::selftest {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string kKey = "trained/network";

class Trained : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new GateFolder(PERFGATE_REPLAY_GATE);
    for (int session = 0; session < 3; ++session) {
      ASSERT_EQ(folder_->run({"--refresh", "--case=" + kKey}), 0) << folder_->printed();
    }
  }
  static void TearDownTestSuite() { delete folder_; }

  static int run(const std::string& plant) {
    return folder_->run({"--case=" + kKey}, {{"PERFGATE_PLANT", plant}});
  }
  static Verdict verdict_of(Phase phase) {
    for (const auto& judgement : folder_->outcome(kKey).judgements) {
      if (judgement.metric == kNetTime.in(phase)) {
        return judgement.verdict;
      }
    }
    throw std::logic_error("a phase was not judged");
  }
  static GateFolder& folder() { return *folder_; }

 private:
  static inline GateFolder* folder_ = nullptr;
};

TEST_F(Trained, PassesUnchanged) {
  EXPECT_EQ(run(""), 0) << folder().printed();
  EXPECT_EQ(verdict_of(Phase::kForward), Verdict::kPass);
  EXPECT_EQ(verdict_of(Phase::kBackward), Verdict::kPass);
}

TEST_F(Trained, ASlowerForwardIsARegressionOfForward) {
  EXPECT_EQ(run("slow_forward"), 1) << folder().printed();
  EXPECT_EQ(verdict_of(Phase::kForward), Verdict::kRegressed);
  EXPECT_EQ(verdict_of(Phase::kBackward), Verdict::kPass);
  EXPECT_THAT(folder().printed(), HasSubstr("forward.net_time"));
  EXPECT_THAT(folder().printed(), Not(HasSubstr("backward.net_time")));
}

TEST_F(Trained, ASlowerBackwardIsARegressionOfBackward) {
  EXPECT_EQ(run("slow_backward"), 1) << folder().printed();
  EXPECT_EQ(verdict_of(Phase::kForward), Verdict::kPass);
  EXPECT_EQ(verdict_of(Phase::kBackward), Verdict::kRegressed);
  EXPECT_THAT(folder().printed(), HasSubstr("backward.net_time"));
  EXPECT_THAT(folder().printed(), Not(HasSubstr("forward.net_time")));
}

TEST_F(Trained, AWrongGradientElementIsNamedByPhaseAndOutput) {
  EXPECT_EQ(run("wrong_gradient"), 1) << folder().printed();
  EXPECT_EQ(folder().outcome(kKey).verdict, Verdict::kWrong);
  EXPECT_THAT(folder().printed(),
              HasSubstr("backward: output 2: 1 of 6 elements differ from the reference"));
  EXPECT_THAT(folder().printed(), Not(HasSubstr("forward: output")));
}

}  // namespace
}  // namespace perfgate::selftest
