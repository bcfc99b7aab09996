#include "perfgate/gate/outcome.h"

#include <gtest/gtest.h>

namespace perfgate {
namespace {

Judgement judgement(Metric metric, Verdict verdict, double mde) {
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
  const auto regressed = outcome(
      Verdict::kRegressed,
      {judgement(kNetTime, Verdict::kRegressed, 0.1), judgement(kCycles, Verdict::kPass, 0.02)});
  EXPECT_EQ(regressed.deciding()->metric, kNetTime);
}

TEST(Outcome, IsDecidedByWhatCouldSeeMostAmongThoseThatAgree) {
  const auto pass = outcome(Verdict::kPass, {judgement(kNetTime, Verdict::kPass, 0.1),
                                             judgement(kCycles, Verdict::kPass, 0.02)});
  EXPECT_EQ(pass.deciding()->metric, kCycles);
}

// Memory is nearly always the same, so that it would see most; people ask how fast it is.
TEST(Outcome, IsDecidedByMemoryOnlyWhereThatAloneFailed) {
  const auto pass = outcome(Verdict::kPass, {judgement(kPeakMemory, Verdict::kPass, 0.01),
                                             judgement(kNetTime, Verdict::kPass, 0.1)});
  EXPECT_EQ(pass.deciding()->metric, kNetTime);
  const auto larger =
      outcome(Verdict::kRegressed, {judgement(kNetTime, Verdict::kPass, 0.1),
                                    judgement(kPeakMemory, Verdict::kRegressed, 0.01)});
  EXPECT_EQ(larger.deciding()->metric, kPeakMemory);
}

TEST(Outcome, IsDecidedByOneOfAllWhereAnotherReasonGaveTheVerdict) {
  const auto unfit = outcome(
      Verdict::kMachineInvalid,
      {judgement(kNetTime, Verdict::kRegressed, 0.1), judgement(kCycles, Verdict::kPass, 0.02)});
  EXPECT_EQ(unfit.deciding()->metric, kCycles);
  EXPECT_EQ(outcome(Verdict::kError, {}).deciding(), nullptr);
}

TEST(Outcome, FindsAJudgementByItsMetric) {
  const auto pass = outcome(Verdict::kPass, {judgement(kNetTime, Verdict::kPass, 0.1)});
  EXPECT_EQ(pass.judgement_of(kNetTime), &pass.judgements.front());
  EXPECT_EQ(pass.judgement_of(kCycles), nullptr);
}

}  // namespace
}  // namespace perfgate
