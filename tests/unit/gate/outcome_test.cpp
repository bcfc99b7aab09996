#include "perfgate/gate/outcome.h"

#include <gtest/gtest.h>

namespace perfgate {
namespace {

Judgement judgement(const std::string& metric, Verdict verdict, double mde) {
  Judgement out;
  out.metric = metric;
  out.verdict = verdict;
  out.mde = mde;
  return out;
}

Outcome outcome(Verdict verdict, const std::vector<Judgement>& judgements) {
  Outcome out;
  out.verdict = verdict;
  out.judgements = judgements;
  return out;
}

TEST(Outcome, IsDecidedByWhatFailed) {
  const auto regressed =
      outcome(Verdict::kRegressed, {judgement("net_time", Verdict::kRegressed, 0.1),
                                    judgement("sm_cycles", Verdict::kPass, 0.02)});
  EXPECT_EQ(regressed.deciding()->metric, "net_time");
}

TEST(Outcome, IsDecidedByWhatCouldSeeMostAmongThoseThatAgree) {
  const auto pass = outcome(Verdict::kPass, {judgement("net_time", Verdict::kPass, 0.1),
                                             judgement("sm_cycles", Verdict::kPass, 0.02)});
  EXPECT_EQ(pass.deciding()->metric, "sm_cycles");
}

TEST(Outcome, IsDecidedByOneOfAllWhereAnotherReasonGaveTheVerdict) {
  const auto unfit =
      outcome(Verdict::kMachineInvalid, {judgement("net_time", Verdict::kRegressed, 0.1),
                                         judgement("sm_cycles", Verdict::kPass, 0.02)});
  EXPECT_EQ(unfit.deciding()->metric, "sm_cycles");
  EXPECT_EQ(outcome(Verdict::kError, {}).deciding(), nullptr);
}

TEST(Outcome, TellsOfTheTimeWhereCyclesAreJudgedBesideIt) {
  const auto product = outcome(Verdict::kPass, {judgement("net_time", Verdict::kPass, 0.1),
                                                judgement("sm_cycles", Verdict::kPass, 0.02)});
  EXPECT_EQ(product.of_time()->metric, "net_time");
  const auto lottery = outcome(Verdict::kPass, {judgement("busy_time", Verdict::kPass, 0.02),
                                                judgement("net_time", Verdict::kPass, 0.1)});
  EXPECT_EQ(lottery.of_time()->metric, "busy_time");
  // Time is judged no more where somebody's edit of the baseline says so.
  const auto edited = outcome(Verdict::kPass, {judgement("sm_cycles", Verdict::kPass, 0.02)});
  EXPECT_EQ(edited.of_time()->metric, "sm_cycles");
  EXPECT_EQ(outcome(Verdict::kError, {}).of_time(), nullptr);
}

TEST(Outcome, FindsAJudgementByItsMetric) {
  const auto pass = outcome(Verdict::kPass, {judgement("net_time", Verdict::kPass, 0.1)});
  EXPECT_EQ(pass.judgement_of("net_time"), &pass.judgements.front());
  EXPECT_EQ(pass.judgement_of("sm_cycles"), nullptr);
}

}  // namespace
}  // namespace perfgate
